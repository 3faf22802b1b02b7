import type { Context } from '../../context.ts';
import type { Progress } from '../../jobs/jobs.ts';
import type { ProcessLoad } from '../../processes/load.ts';

/** A running process and its current operation. */
export type ProcessStatus = Awaited<ReturnType<typeof listProcesses>>[number];

/** Every running process with its load, its jobs and its tasks, oldest first. */
export async function listProcesses({ db, processes }: Context) {
  const rows = await processes.list();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const jobs = await db
    .selectFrom('jobs')
    .select(['process_id', 'type', 'started_at', 'attempts', 'progress'])
    .where('process_id', 'in', ids)
    .orderBy('id')
    .execute();
  const tasks = await db.selectFrom('cron_tasks').select(['process_id', 'name']).where('process_id', 'in', ids).orderBy('name').execute();
  return rows.map(({ load, ...row }) => ({
    ...row,
    load: load as ProcessLoad | null,
    jobs: jobs
      .filter(({ process_id: id }) => id === row.id)
      .map(({ type, started_at: startedAt, attempts, progress }) => ({ type, startedAt, attempts, progress: textOf(progress) })),
    tasks: tasks.filter(({ process_id: id }) => id === row.id).map(({ name }) => name),
  }));
}

function textOf(progress: unknown): string {
  const { text = '', done, total } = (progress ?? {}) as Partial<Progress>;
  const count = done === undefined ? '' : total === undefined ? `${done}` : `${done} of ${total}`;
  return [text, count].filter((part) => part !== '').join(': ');
}
