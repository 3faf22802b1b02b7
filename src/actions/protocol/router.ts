import { createConnectRouter, type HandlerContext } from '@connectrpc/connect';
import type { Context } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { declare, register } from '../runners/register.ts';
import { fetchTask, type Patience } from '../tasks/fetch.ts';
import { updateLog } from '../tasks/logs/update-log.ts';
import { updateTask } from '../tasks/update-task.ts';
import { connectError, refusal } from './errors.ts';
import { PingService, RunnerService } from './messages.ts';
import { connectRoutes, contextKey, type Procedure, runnerKey } from './routes.ts';

const KILOBYTE = 1024;
const small = { bytes: 64 * KILOBYTE, parts: 1000 };

const PROCEDURES: Readonly<Record<string, Procedure>> = {
  Ping: { caller: 'anybody', bounds: small },
  Register: { caller: 'anybody', bounds: small },
  Declare: { caller: 'runner', bounds: small },
  FetchTask: { caller: 'runner', bounds: small },
  // Outputs can have a megabyte each, and lines of a log 64 kilobytes.
  UpdateTask: { caller: 'busy runner', bounds: { bytes: 32 * KILOBYTE * KILOBYTE, parts: 10_000, first: 512 * KILOBYTE } },
  UpdateLog: { caller: 'busy runner', bounds: { bytes: 32 * KILOBYTE * KILOBYTE, parts: 100_000 } },
};

// Timeouts of clients may be long: runners send that of their whole job.
const router = createConnectRouter({ grpc: false, grpcWeb: false });

router.rpc(PingService.method.ping, ({ data }) => ({ data: `Hello, ${data}!` }));
router.rpc(
  RunnerService.method.register,
  responding((context, _, message) => register(context, message)),
);
router.rpc(RunnerService.method.declare, responding(byRunner(declare)));
router.rpc(RunnerService.method.fetchTask, responding(byRunner(fetchTask)));
router.rpc(RunnerService.method.updateTask, responding(byRunner(updateTask)));
router.rpc(RunnerService.method.updateLog, responding(byRunner(updateLog)));

/** What runners call. */
export const protocolRoutes = connectRoutes(router, PROCEDURES);

/** The handler of a procedure that follows a rule. */
function responding<I, O>(rule: (context: Context, runner: ActionRunner | undefined, message: I, patience: Patience) => Promise<O>) {
  return async (message: I, { values, signal, timeoutMs }: HandlerContext): Promise<O> => {
    const context = values.get(contextKey);
    if (!context) throw refusal('Internal', 'the call has no context');
    try {
      return await rule(context, values.get(runnerKey), message, { signal, timeoutMs: timeoutMs() });
    } catch (error) {
      throw connectError(context, error);
    }
  };
}

function byRunner<I, O>(rule: (context: Context, runner: ActionRunner, message: I, patience: Patience) => Promise<O>) {
  return (context: Context, runner: ActionRunner | undefined, message: I, patience: Patience): Promise<O> => {
    if (!runner) throw refusal('Unauthenticated', 'unregistered runner');
    return rule(context, runner, message, patience);
  };
}
