import type { JsonObject, Message } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';

/** The result of a task, a step or a needed job: `RESULT_UNSPECIFIED` for none yet. */
export const RESULT = { unspecified: 0, success: 1, failure: 2, cancelled: 3, skipped: 4 } as const;

/** A message of the protocol of runners. */
export type Is<Name extends string, Fields> = Message<`runner.v1.${Name}`> & Fields;
type Texts = { [name: string]: string };

/** A new runner's description of itself. */
export type RegisterRequest = Is<'RegisterRequest', { name: string; token: string; version: string; labels: string[]; ephemeral: boolean }>;
/** A runner, in responses to itself. */
export type RunnerMessage = Is<
  'Runner',
  { id: bigint; uuid: string; token: string; name: string; status: number; version: string; labels: string[]; ephemeral: boolean }
>;
/** The current capabilities of a runner. */
export type DeclareRequest = Is<'DeclareRequest', { version: string; labels: string[] }>;
/** The version of the jobs that the runner has seen, see `action_task_versions`. */
export type FetchTaskRequest = Is<'FetchTaskRequest', { tasksVersion: bigint }>;
/** A task for a runner. */
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
/** The outputs and the result of a needed job. */
export type TaskNeedMessage = Is<'TaskNeed', { outputs: Texts; result: number }>;
/** The state of a step. */
export type StepStateMessage = Is<
  'StepState',
  { id: bigint; result: number; startedAt?: Timestamp; stoppedAt?: Timestamp; logIndex: bigint; logLength: bigint }
>;
/** The state of a task. */
export type TaskStateMessage = Is<
  'TaskState',
  { id: bigint; result: number; startedAt?: Timestamp; stoppedAt?: Timestamp; steps: StepStateMessage[] }
>;
/** A runner's report. */
export type UpdateTaskRequest = Is<'UpdateTaskRequest', { state?: TaskStateMessage; outputs: Texts }>;
/** A line of a log. */
export type LogRowMessage = Is<'LogRow', { time?: Timestamp; content: string }>;
/** Lines of a log; `index` is that of the first. */
export type UpdateLogRequest = Is<'UpdateLogRequest', { taskId: bigint; index: bigint; rows: LogRowMessage[]; noMore: boolean }>;
