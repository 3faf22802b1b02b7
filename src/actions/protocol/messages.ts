import type { JsonObject, Message } from '@bufbuild/protobuf';
import { fileDesc, type GenMessage, type GenService, serviceDesc } from '@bufbuild/protobuf/codegenv2';
import { file_google_protobuf_struct, file_google_protobuf_timestamp, type Timestamp } from '@bufbuild/protobuf/wkt';
import { PING_MESSAGES, PING_SERVICES, RUNNER_MESSAGES, RUNNER_SERVICES } from './descriptors.ts';

const runnerMessages = fileDesc(RUNNER_MESSAGES, [file_google_protobuf_struct, file_google_protobuf_timestamp]);
const pingMessages = fileDesc(PING_MESSAGES);

/** How a task, a step or a needed job ended: `RESULT_UNSPECIFIED` for not yet. */
export const RESULT = { unspecified: 0, success: 1, failure: 2, cancelled: 3, skipped: 4 } as const;

type Is<Name extends string, Fields> = Message<`runner.v1.${Name}`> & Fields;
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

type Unary<I extends Message, O extends Message> = { methodKind: 'unary'; input: GenMessage<I>; output: GenMessage<O> };

/** What runners call. */
export const RunnerService: GenService<{
  register: Unary<RegisterRequest, Is<'RegisterResponse', { runner?: RunnerMessage }>>;
  declare: Unary<DeclareRequest, Is<'DeclareResponse', { runner?: RunnerMessage }>>;
  fetchTask: Unary<FetchTaskRequest, Is<'FetchTaskResponse', { task?: TaskMessage; tasksVersion: bigint }>>;
  updateTask: Unary<UpdateTaskRequest, Is<'UpdateTaskResponse', { state?: TaskStateMessage; sentOutputs: string[] }>>;
  updateLog: Unary<UpdateLogRequest, Is<'UpdateLogResponse', { ackIndex: bigint }>>;
}> = serviceDesc(fileDesc(RUNNER_SERVICES, [runnerMessages]), 0);

type Ping<Name extends string> = Message<`ping.v1.${Name}`> & { data: string };

/** Whether the server is there. */
export const PingService: GenService<{ ping: Unary<Ping<'PingRequest'>, Ping<'PingResponse'>> }> = serviceDesc(
  fileDesc(PING_SERVICES, [pingMessages]),
  0,
);
