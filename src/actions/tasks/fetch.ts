import type { Context } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { refusal } from '../protocol/errors.ts';
import type { FetchTaskRequest } from '../protocol/messages.ts';
import { pickTask } from './pick.ts';
import { tasksVersion } from './version.ts';

/**
 * Gives a runner a job, if one fits that nobody has. A runner that has looked since the last job began to wait costs two small queries.
 * @throws ConnectError for an ephemeral runner that has had its job
 */
export async function fetchTask(context: Context, runner: ActionRunner, message: FetchTaskRequest) {
  const version = BigInt(await tasksVersion(context, runner));
  if (message.tasksVersion === version || runner.is_disabled) return { tasksVersion: version };
  if (runner.is_ephemeral && (await hasHadJob(context, runner))) return { tasksVersion: version };
  const task = await pickTask(context, runner);
  return { ...(task && { task }), tasksVersion: version };
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
