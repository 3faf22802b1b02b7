import type { Message } from '@bufbuild/protobuf';
import { fileDesc, type GenMessage, type GenService, serviceDesc } from '@bufbuild/protobuf/codegenv2';
import { file_google_protobuf_struct, file_google_protobuf_timestamp } from '@bufbuild/protobuf/wkt';
import { PING_MESSAGES, PING_SERVICES, RUNNER_MESSAGES, RUNNER_SERVICES } from './descriptors.ts';
import type * as messages from './messages.ts';

const runnerMessages = fileDesc(RUNNER_MESSAGES, [file_google_protobuf_struct, file_google_protobuf_timestamp]);
const pingMessages = fileDesc(PING_MESSAGES);

type Unary<I extends Message, O extends Message> = { methodKind: 'unary'; input: GenMessage<I>; output: GenMessage<O> };
type Is<Name extends string, Fields> = messages.Is<Name, Fields>;

/** What runners call. */
export const RunnerService: GenService<{
  register: Unary<messages.RegisterRequest, Is<'RegisterResponse', { runner?: messages.RunnerMessage }>>;
  declare: Unary<messages.DeclareRequest, Is<'DeclareResponse', { runner?: messages.RunnerMessage }>>;
  fetchTask: Unary<messages.FetchTaskRequest, Is<'FetchTaskResponse', { task?: messages.TaskMessage; tasksVersion: bigint }>>;
  updateTask: Unary<messages.UpdateTaskRequest, Is<'UpdateTaskResponse', { state?: messages.TaskStateMessage; sentOutputs: string[] }>>;
  updateLog: Unary<messages.UpdateLogRequest, Is<'UpdateLogResponse', { ackIndex: bigint }>>;
}> = serviceDesc(fileDesc(RUNNER_SERVICES, [runnerMessages]), 0);

type Ping<Name extends string> = Message<`ping.v1.${Name}`> & { data: string };

/** Whether the server is there. */
export const PingService: GenService<{ ping: Unary<Ping<'PingRequest'>, Ping<'PingResponse'>> }> = serviceDesc(
  fileDesc(PING_SERVICES, [pingMessages]),
  0,
);
