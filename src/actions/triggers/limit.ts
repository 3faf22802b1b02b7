import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { PreparedRun } from '../jobs/prepare-run.ts';

/** Maximum number of jobs in all runs that one event starts: one transaction writes them, for which others wait. */
const MAX_JOBS = 2500;
/** Maximum length of what these runs and jobs store, in characters: each run has a copy of the event, with messages of commits. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Adds runs to those that an event starts, as many as it may start. Returns false when there are more. */
export function addWithinLimit(
  context: Context,
  { id }: Pick<Repository, 'id'>,
  runs: PreparedRun[],
  more: readonly PreparedRun[],
): boolean {
  let jobs = sum(runs, jobsOf);
  let length = sum(runs, lengthOf);
  for (const run of more) {
    jobs += jobsOf(run);
    length += lengthOf(run);
    if (jobs > MAX_JOBS || length > MAX_LENGTH) {
      context.log.warn(
        { repository: id, workflow: run.request.workflowId },
        'an event starts no more workflows: these are too many or long',
      );
      return false;
    }
    runs.push(run);
  }
  return true;
}

const jobsOf = ({ expanded }: PreparedRun) => expanded.jobs.length;
const lengthOf = ({ request, expanded }: PreparedRun) => request.payload.length + sum(expanded.jobs, ({ payload }) => payload.length);

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
