import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionStatus } from '../../database/tables/actions.ts';
import { type Announcement, jobsChanged } from './change.ts';
import { endsMatrix, isDone, UNDONE } from './status.ts';
import { stopTask } from './stop-task.ts';

/** Cancelling emits the event of the runs as well, whatever their state is. */
const ALWAYS: Announcement = { run: 'always', jobs: true };

/**
 * Ends the unfinished ones of these jobs, and emits their event. The caller holds `lockRuns` of their repository.
 * @param status `cancelled`, or `failure` at the time limit
 */
export async function endJobs(context: Context, jobs: readonly ActionJob[], status: ActionStatus = 'cancelled'): Promise<void> {
  const undone = jobs.filter((job) => !isDone(job.status));
  if (undone.length === 0) return;
  const time = now();
  for (const { task_id: taskId } of undone) if (taskId !== null) await stopTask(context, taskId, status);
  await context.db
    .updateTable('action_jobs')
    .set({ status, stopped_at: time, updated_at: time })
    .where(
      'id',
      'in',
      undone.map(({ id }) => id),
    )
    .execute();
  for (const runId of new Set(undone.map((job) => job.run_id))) {
    const ids = undone.filter((job) => job.run_id === runId).map(({ id }) => id);
    await jobsChanged(context, runId, ids, ALWAYS);
  }
  if (status === 'failure') for (const job of undone) await cancelMatrix(context, { ...job, status });
}

/** Cancels the other jobs of a matrix after one of them has failed, unless the workflow says otherwise. The caller holds `lockRuns`. */
export async function cancelMatrix(context: Context, failed: ActionJob): Promise<void> {
  if (!endsMatrix(failed)) return;
  const others = await context.db
    .selectFrom('action_jobs')
    .selectAll()
    .where('run_id', '=', failed.run_id)
    .where('job_key', '=', failed.job_key)
    .where('status', 'in', UNDONE)
    .orderBy('id')
    .execute();
  await endJobs(context, others);
}
