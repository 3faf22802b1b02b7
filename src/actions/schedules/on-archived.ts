import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { endJobs } from '../jobs/cancel.ts';
import { lockRuns } from '../jobs/lock.ts';
import { UNDONE } from '../jobs/status.ts';

/** Cancels scheduled runs of a repository that was archived: nobody can do that later. */
export async function cancelScheduled({ repositoryId }: Events['repository.archived'], context: Context): Promise<void> {
  await lockRuns(context, repositoryId);
  const jobs = await context.db
    .selectFrom('action_jobs')
    .innerJoin('action_runs', 'action_runs.id', 'action_jobs.run_id')
    .selectAll('action_jobs')
    .where('action_runs.repository_id', '=', repositoryId)
    .where('action_runs.status', 'in', UNDONE)
    .where('action_runs.trigger_event', '=', 'schedule')
    .orderBy('action_jobs.id')
    .execute();
  await endJobs(context, jobs);
}
