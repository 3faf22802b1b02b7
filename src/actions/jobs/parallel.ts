import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionJob } from '../../database/tables/actions.ts';

/**
 * Releases as many jobs of each matrix of a run to runners as `max-parallel` allows. The caller holds `lockRuns`.
 * @returns whether there are more than before
 */
export async function admitJobs({ db }: Pick<Context, 'db'>, runId: number): Promise<boolean> {
  const jobs = await db
    .selectFrom('action_jobs')
    .select(['id', 'job_key', 'max_parallel', 'status', 'is_held'])
    .where('run_id', '=', runId)
    .where('max_parallel', '>', 0)
    .where('status', 'in', ['waiting', 'running'])
    .orderBy('id')
    .execute();
  const admitted = [...Map.groupBy(jobs, (job) => job.job_key).values()].flatMap(nextOfMatrix);
  if (admitted.length === 0) return false;
  // They begin to wait for a runner now.
  await db.updateTable('action_jobs').set({ is_held: false, updated_at: now() }).where('id', 'in', admitted).execute();
  return true;
}

type MatrixJob = Pick<ActionJob, 'id' | 'max_parallel' | 'status' | 'is_held'>;

function nextOfMatrix(jobs: readonly MatrixJob[]): number[] {
  const held = jobs.filter((job) => job.status === 'waiting' && job.is_held);
  const room = (jobs[0]?.max_parallel ?? 0) - (jobs.length - held.length);
  return held.slice(0, Math.max(0, room)).map(({ id }) => id);
}
