import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { endJobs } from '../jobs/cancel.ts';
import { lockRuns } from '../jobs/lock.ts';
import { UNDONE } from '../jobs/status.ts';

/** Cancels what schedules have started in a repository that is archived now: nobody may do that later. */
export async function cancelScheduled({ repositoryId }: Events['repository.archived'], context: Context): Promise<void> {
  await cancelRuns(context, repositoryId, 'schedule');
}

/** Cancels all runs of a repository without automation: they would wait where nobody sees them. */
export async function cancelWithoutUnit({ repositoryId, units }: Events['repository.units-removed'], context: Context): Promise<void> {
  if (units.includes('actions')) await cancelRuns(context, repositoryId);
}

/** @param trigger only runs of this event */
async function cancelRuns(context: Context, repositoryId: number, trigger?: string): Promise<void> {
  await lockRuns(context, repositoryId);
  let jobs = context.db
    .selectFrom('action_jobs')
    .innerJoin('action_runs', 'action_runs.id', 'action_jobs.run_id')
    .selectAll('action_jobs')
    .where('action_runs.repository_id', '=', repositoryId)
    .where('action_runs.status', 'in', UNDONE);
  if (trigger !== undefined) jobs = jobs.where('action_runs.trigger_event', '=', trigger);
  await endJobs(context, await jobs.orderBy('action_jobs.id').execute());
}
