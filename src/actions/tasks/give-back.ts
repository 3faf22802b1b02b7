import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import type { ActionTask } from '../../database/tables/actions.ts';
import { jobsChanged } from '../jobs/change.ts';
import { lockRuns } from '../jobs/lock.ts';
import { stopTask } from '../jobs/stop-task.ts';

/** A runner has reported on its task after so many seconds: runners report every few, from the beginning. */
const GRACE = 60;

/**
 * Releases jobs that were given to a runner and never reached it, because the connection or this server broke before
 * the response arrived: it fetches jobs, and has not reported on them.
 */
export async function giveBackUnreceived(context: Context, runner: ActionRunner): Promise<void> {
  const before = now() - GRACE;
  if (runner.given_at === null || runner.given_at > before) return;
  for (const task of await unreceived(context, runner.id, before)) {
    await inTransaction(context, async (context) => {
      await lockRuns(context, task.repository_id);
      const [current] = await unreceived(context, runner.id, before, task.id);
      if (current) await giveBack(context, current);
    });
  }
  // A task that was given since is checked later.
  await context.db
    .updateTable('action_runners')
    .set({ given_at: null })
    .where('id', '=', runner.id)
    .where('given_at', '=', runner.given_at)
    .execute();
}

async function unreceived({ db }: Context, runnerId: number, before: number, taskId?: number): Promise<ActionTask[]> {
  let tasks = db
    .selectFrom('action_tasks')
    .selectAll()
    .where('runner_id', '=', runnerId)
    .where('status', '=', 'running')
    .where('has_reported', '=', false)
    .where('log_lines', '=', 0)
    .where('created_at', '<=', before);
  if (taskId !== undefined) tasks = tasks.where('id', '=', taskId);
  return await tasks.orderBy('id').limit(100).execute();
}

async function giveBack(context: Context, task: ActionTask): Promise<void> {
  await stopTask(context, task.id, 'cancelled');
  const job = await context.db
    .updateTable('action_jobs')
    // It is first in the queue again, as before.
    .set({ status: 'waiting', task_id: null, started_at: 0, updated_at: task.created_at, is_held: sql<boolean>`max_parallel > 0` })
    .where('id', '=', task.job_id)
    .where('task_id', '=', task.id)
    .where('status', '=', 'running')
    .returning(['id', 'run_id'])
    .executeTakeFirst();
  if (!job) return;
  context.log.info({ job: job.id, task: task.id }, 'a job has not reached its runner, and waits again');
  await jobsChanged(context, job.run_id, [job.id], { run: 'no', jobs: true });
}
