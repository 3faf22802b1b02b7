import type { Context } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { refusal } from '../protocol/errors.ts';
import type { FetchTaskRequest } from '../protocol/messages.ts';
import { giveBackUnreceived } from './give-back.ts';
import { pickTask } from './pick.ts';
import { tasksVersion } from './version.ts';
import { waitingRunnersOf } from './wait.ts';

/** How long a runner waits for its response. */
export interface Patience {
  /** Milliseconds; undefined if it sends no timeout. */
  readonly timeoutMs: number | undefined;
  /** Aborted when it waits no longer. */
  readonly signal: AbortSignal;
}

/** The longest wait in milliseconds, and the part of the runner's timeout that is left for the response. */
const MAX_WAIT = 20_000;
const MARGIN = 1000;

/**
 * Gives a runner a waiting job that fits, if any. For a runner that has seen the last waiting job this costs two small queries;
 * it waits for the next one as long as its timeout allows.
 * @throws ProcedureError for an ephemeral runner that has had its job
 */
export async function fetchTask(context: Context, runner: ActionRunner, message: FetchTaskRequest, patience: Patience) {
  await giveBackUnreceived(context, runner);
  const version = BigInt(await versionAfterWait(context, runner, Number(message.tasksVersion), patience));
  if (message.tasksVersion === version || runner.is_disabled || patience.signal.aborted) return { tasksVersion: version };
  if (runner.is_ephemeral && (await hasHadJob(context, runner))) return { tasksVersion: version };
  const task = await pickTask(context, runner);
  return { ...(task && { task }), tasksVersion: version };
}

/** The version of the runner's level, once it differs from the one that the runner knows, or the wait is over. */
async function versionAfterWait(context: Context, runner: ActionRunner, known: number, { timeoutMs = 0, signal }: Patience) {
  const ms = Math.min(timeoutMs - MARGIN, MAX_WAIT);
  // It waits before the version is read, so that no change is missed.
  const wait = ms > 0 && known > 0 ? waitingRunnersOf(context).begin(runner, known, { ms, signal }) : undefined;
  try {
    const version = await tasksVersion(context, runner);
    if (version !== known || !wait) return version;
    await wait.ended;
    return await tasksVersion(context, runner);
  } finally {
    wait?.end();
  }
}

async function hasHadJob({ db }: Context, runner: ActionRunner): Promise<boolean> {
  const task = await db
    .selectFrom('action_tasks')
    .select('status')
    .where('runner_id', '=', runner.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!task) return false;
  if (task.status === 'running') return true;
  await db.deleteFrom('action_runners').where('id', '=', runner.id).execute();
  throw refusal('Unauthenticated', 'runner has been removed');
}
