import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { PreparedRun } from '../jobs/prepare-run.ts';

/** Maximum number of jobs in all runs that one event starts: one transaction writes them, for which others wait. */
const MAX_JOBS = 2500;

/** Adds runs to those that an event starts, as many as it may start. Returns false when there are more. */
export function addWithinLimit(
  context: Context,
  { id }: Pick<Repository, 'id'>,
  runs: PreparedRun[],
  more: readonly PreparedRun[],
): boolean {
  let jobs = jobsOf(runs);
  for (const run of more) {
    jobs += jobsOf([run]);
    if (jobs > MAX_JOBS) {
      context.log.warn({ repository: id, workflow: run.request.workflowId }, 'an event starts no more workflows: these have too many jobs');
      return false;
    }
    runs.push(run);
  }
  return true;
}

function jobsOf(runs: readonly PreparedRun[]): number {
  return runs.reduce((sum, { expanded }) => sum + expanded.jobs.length, 0);
}
