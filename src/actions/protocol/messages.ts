import type { JsonObject, Message } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';

/** How a task, a step or a needed job ended: `RESULT_UNSPECIFIED` for not yet. */
export const RESULT = { unspecified: 0, success: 1, failure: 2, cancelled: 3, skipped: 4 } as const;

/** A message of the protocol of runners. */
export type Is<Name extends string, Fields> = Message<`runner.v1.${Name}`> & Fields;
type Texts = { [name: string]: string };

/** What a program that wants to be a runner says. */
export type RegisterRequest = Is<'RegisterRequest', { name: string; token: string; version: string; labels: string[]; ephemeral: boolean }>;
/** A runner, as it is told about itself. */
export type RunnerMessage = Is<
  'Runner',
  { id: bigint; uuid: string; token: string; name: string; status: number; version: string; labels: string[]; ephemeral: boolean }
>;
/** What a runner can do now. */
export type DeclareRequest = Is<'DeclareRequest', { version: string; labels: string[] }>;
/** The number of the jobs that the runner knows to be looked through, see `action_task_versions`. */
export type FetchTaskRequest = Is<'FetchTaskRequest', { tasksVersion: bigint }>;
/** What a runner shall do. */
export type TaskMessage = Is<
  'Task',
  {
    id: bigint;
    workflowPayload?: Uint8Array;
    context?: JsonObject;
    secrets: Texts;
    needs: { [job: string]: TaskNeedMessage };
    vars: Texts;
  }
>;
/** What a needed job left. */
export type TaskNeedMessage = Is<'TaskNeed', { outputs: Texts; result: number }>;
/** How far a step is. */
export type StepStateMessage = Is<
  'StepState',
  { id: bigint; result: number; startedAt?: Timestamp; stoppedAt?: Timestamp; logIndex: bigint; logLength: bigint }
>;
/** How far a task is. */
export type TaskStateMessage = Is<
  'TaskState',
  { id: bigint; result: number; startedAt?: Timestamp; stoppedAt?: Timestamp; steps: StepStateMessage[] }
>;
/** What a runner reports. */
export type UpdateTaskRequest = Is<'UpdateTaskRequest', { state?: TaskStateMessage; outputs: Texts }>;
/** A line of a log. */
export type LogRowMessage = Is<'LogRow', { time?: Timestamp; content: string }>;
/** Lines of a log; `index` is that of the first. */
export type UpdateLogRequest = Is<'UpdateLogRequest', { taskId: bigint; index: bigint; rows: LogRowMessage[]; noMore: boolean }>;
