import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextKey,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import type { Context } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { declare, register } from '../runners/register.ts';
import { fetchTask, type Patience } from '../tasks/fetch.ts';
import { updateLog } from '../tasks/logs/update-log.ts';
import { updateTask } from '../tasks/update-task.ts';
import { procedureError, refusal } from './errors.ts';
import { PingService, RunnerService } from './services.ts';

/*
 * The procedures themselves. This file is loaded with the first call, since loading its libraries is most of the work.
 */

type Handler = ConnectRouter['handlers'][number];

const contextKey: ContextKey<Context | undefined> = createContextKey<Context | undefined>(undefined);
const runnerKey: ContextKey<ActionRunner | undefined> = createContextKey<ActionRunner | undefined>(undefined);

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

const handlers = new Map<string, Handler>(router.handlers.map((handler) => [handler.requestPath.slice(1), handler]));

/** Calls a procedure by its name in the URL: `SERVICE/METHOD`. If only runners may call it, with the calling runner. */
export async function callProcedure(
  name: string,
  { context, runner }: { context: Context; runner: ActionRunner | undefined },
  request: Omit<Parameters<Handler>[0], 'contextValues'>,
): Promise<Awaited<ReturnType<Handler>>> {
  const handler = handlers.get(name);
  if (!handler) throw new Error(`no handler of ${name}`);
  return await handler({ ...request, contextValues: createContextValues().set(contextKey, context).set(runnerKey, runner) });
}

/** The handler of a procedure that follows a rule. */
function responding<I, O>(rule: (context: Context, runner: ActionRunner | undefined, message: I, patience: Patience) => Promise<O>) {
  return async (message: I, { values, signal, timeoutMs }: HandlerContext): Promise<O> => {
    const context = values.get(contextKey);
    if (!context) throw new ConnectError('the call has no context', Code.Internal);
    try {
      return await rule(context, values.get(runnerKey), message, { signal, timeoutMs: timeoutMs() });
    } catch (error) {
      const { code, message } = procedureError(context, error);
      throw new ConnectError(message, Code[code]);
    }
  };
}

function byRunner<I, O>(rule: (context: Context, runner: ActionRunner, message: I, patience: Patience) => Promise<O>) {
  return (context: Context, runner: ActionRunner | undefined, message: I, patience: Patience): Promise<O> => {
    if (!runner) throw refusal('Unauthenticated', 'unregistered runner');
    return rule(context, runner, message, patience);
  };
}
