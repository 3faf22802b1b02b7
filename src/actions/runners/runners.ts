import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import type { Shape } from '../../http/schema.ts';
import { type ActionScope, inScope } from '../scope.ts';
import { bumpTasksVersion } from '../tasks/version.ts';
import type { ActionRunner as RunnerShape } from './schema.ts';

/** Seconds without a call after which a runner counts as offline. */
const OFFLINE_AFTER = 60;
/** Seconds without a report on a job after which a runner counts as idle. */
const IDLE_AFTER = 10;

/** The runners of a scope, or all of them for the instance, those with the latest contact first. */
export async function listRunners(
  { db }: Context,
  scope: ActionScope,
  page: Page,
  isDisabled?: boolean,
): Promise<{ runners: ActionRunner[]; total: number }> {
  let found = db.selectFrom('action_runners');
  if (!('instance' in scope)) found = found.where(inScope(scope));
  if (isDisabled !== undefined) found = found.where('is_disabled', '=', isDisabled);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = found.selectAll().orderBy('last_online_at', 'desc').orderBy('id').limit(page.limit).offset(page.offset);
  return { runners: await rows.execute(), total: Number(total) };
}

/**
 * The runner with this id, of this scope; any runner for the instance.
 * @throws HttpError 404
 */
export async function getRunner({ db }: Pick<Context, 'db'>, scope: ActionScope, id: number): Promise<ActionRunner> {
  const runner = await db.selectFrom('action_runners').selectAll().where('id', '=', id).executeTakeFirst();
  if (!runner) throw notFound(null, 'Runner not found');
  const isOfScope =
    'instance' in scope || ('ownerId' in scope ? runner.owner_id === scope.ownerId : runner.repository_id === scope.repositoryId);
  if (!isOfScope) throw notFound(null, 'No permission to access this runner');
  return runner;
}

/**
 * Enables or disables a runner for new jobs; running ones continue.
 * @throws HttpError 404, 422
 */
export async function setRunnerDisabled(
  context: Context,
  scope: ActionScope,
  id: number,
  isDisabled: boolean | undefined,
): Promise<ActionRunner> {
  return inTransaction(context, async (context) => {
    const runner = await getRunner(context, scope, id);
    if (isDisabled === undefined) throw unprocessable('[Disabled]: Required');
    if (runner.is_disabled === isDisabled) return runner;
    await context.db.updateTable('action_runners').set({ is_disabled: isDisabled, updated_at: now() }).where('id', '=', id).execute();
    await bumpTasksVersion(context, runner);
    return { ...runner, is_disabled: isDisabled };
  });
}

/**
 * Deletes a runner: its token becomes invalid. Its running jobs end after the timeout of lost tasks.
 * @throws HttpError 404
 */
export async function deleteRunner(context: Context, scope: ActionScope, id: number): Promise<void> {
  await getRunner(context, scope, id);
  await context.db.deleteFrom('action_runners').where('id', '=', id).execute();
}

/** A runner on the wire. */
export function presentRunner(runner: ActionRunner): Shape<typeof RunnerShape> {
  const time = now();
  const isOnline = time - runner.last_online_at <= OFFLINE_AFTER;
  return {
    id: runner.id,
    name: runner.name,
    status: isOnline ? 'online' : 'offline',
    busy: isOnline && time - runner.last_active_at <= IDLE_AFTER,
    disabled: runner.is_disabled,
    ephemeral: runner.is_ephemeral,
    labels: runner.labels.map((name, index) => ({ id: index, name, type: 'custom' })),
  };
}
