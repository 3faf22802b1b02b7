import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** A queue of background jobs, and how many it has. */
export interface QueueStatus {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  /** Of those that wait: begun before, and failed. */
  readonly failing: number;
}

/** The queues that have jobs, by name. */
export async function listQueues({ db }: Pick<Context, 'db'>): Promise<QueueStatus[]> {
  const rows = await db
    .selectFrom('jobs')
    .select((select) => [
      'queue',
      select.fn.sum<number>(sql`case when process_id is null then 1 else 0 end`).as('waiting'),
      select.fn.sum<number>(sql`case when process_id is null then 0 else 1 end`).as('running'),
      select.fn.sum<number>(sql`case when process_id is null and error <> '' then 1 else 0 end`).as('failing'),
    ])
    .groupBy('queue')
    .orderBy('queue')
    .execute();
  return rows.map(({ queue, waiting, running, failing }) => ({
    queue,
    waiting: Number(waiting),
    running: Number(running),
    failing: Number(failing),
  }));
}

/** Jobs that failed and wait for another attempt, the first due first. @param limit how many at most */
export async function listFailingJobs({ db }: Pick<Context, 'db'>, limit: number) {
  return await db
    .selectFrom('jobs')
    .select(['id', 'type', 'queue', 'attempts', 'due_at', 'error'])
    .where('process_id', 'is', null)
    .where('error', '<>', '')
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Scheduled tasks whose last run failed, with the error. */
export async function listFailedTasks({ db }: Pick<Context, 'db'>) {
  return await db.selectFrom('cron_tasks').select(['name', 'error']).where('error', '<>', '').orderBy('name').execute();
}
