import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { endJobs } from '../jobs/cancel.ts';
import { findJob } from '../jobs/find.ts';
import { lockRuns } from '../jobs/lock.ts';
import { storeLog } from './logs/store.ts';

/** Tasks that are ended at once. */
const BATCH = 100;

/** Ends the tasks whose runner has not reported for too long: it is lost. */
export async function stopLostTasks(context: Context, signal: AbortSignal): Promise<void> {
  await stopTasks(context, 'updated_at', now() - context.settings.actions.lostTaskTimeout / 1000, signal);
  await storeLeftLogs(context, signal);
}

/** Ends the tasks that run for too long. */
export async function stopEndlessTasks(context: Context, signal: AbortSignal): Promise<void> {
  await stopTasks(context, 'started_at', now() - context.settings.actions.longTaskTimeout / 1000, signal);
}

async function stopTasks(context: Context, column: 'updated_at' | 'started_at', before: number, signal: AbortSignal): Promise<void> {
  for (let last = 0; !signal.aborted; ) {
    const tasks = await context.db
      .selectFrom('action_tasks')
      .select(['id', 'job_id', 'repository_id'])
      .where('status', '=', 'running')
      .where(column, '<', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const task of tasks) await stopOne(context, task, column, before);
    last = tasks.at(-1)?.id ?? 0;
    if (tasks.length < BATCH) return;
  }
}

interface Overdue {
  readonly id: number;
  readonly job_id: number;
  readonly repository_id: number;
}

async function stopOne(context: Context, task: Overdue, column: 'updated_at' | 'started_at', before: number): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockRuns(context, task.repository_id);
    // Its runner may have reported meanwhile.
    const overdue = context.db.selectFrom('action_tasks').select('id').where('id', '=', task.id);
    if (!(await overdue.where('status', '=', 'running').where(column, '<', before).executeTakeFirst())) return;
    const job = await findJob(context.db, task.job_id);
    if (job?.task_id === task.id) await endJobs(context, [job], 'failure');
  });
}

/** Seconds after which the log of a finished task gets no more lines. */
const LOG_GRACE = 3600;

/** Moves logs to the storage whose runners never sent the last line. */
async function storeLeftLogs(context: Context, signal: AbortSignal): Promise<void> {
  const left = await context.db
    .selectFrom('action_tasks')
    .select('id')
    .where('stopped_at', '>', 0)
    .where('log_expired', '=', false)
    .where('log_in_storage', '=', false)
    .where('status', '!=', 'running')
    .where('updated_at', '<', now() - LOG_GRACE)
    .where('log_lines', '>', 0)
    .orderBy('id')
    .limit(BATCH)
    .execute();
  for (const { id } of left) if (!signal.aborted) await storeLog(context, id);
}
