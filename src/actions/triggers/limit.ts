import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { PreparedRun } from '../jobs/prepare-run.ts';

/** Maximum number of jobs in all runs that one event starts: one transaction writes them, for which others wait. */
const MAX_JOBS = 2500;
/** Maximum length of what these runs and jobs store, in characters: each run has a copy of the event, with messages of commits. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** The runs that one event starts, as many as it may start. */
export class LimitedRuns {
  readonly all: PreparedRun[] = [];
  #jobs = 0;
  #length = 0;

  /** Adds runs. Returns false when the event may not start all of them; it starts no others then. */
  add(context: Context, { id }: Pick<Repository, 'id'>, runs: readonly PreparedRun[]): boolean {
    for (const run of runs) {
      this.#jobs += run.expanded.jobs.length;
      this.#length += lengthOf(run);
      if (this.#jobs > MAX_JOBS || this.#length > MAX_LENGTH) {
        context.log.warn(
          { repository: id, workflow: run.request.workflowId },
          'an event starts no more workflows: these are too many or long',
        );
        return false;
      }
      this.all.push(run);
    }
    return true;
  }
}

function lengthOf({ request, expanded }: PreparedRun): number {
  return expanded.jobs.reduce((length, { payload }) => length + payload.length, request.payload.length);
}
