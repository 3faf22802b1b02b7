import type { ActionJob, ActionStatus } from '../../database/tables/actions.ts';

/** The final states, except for a rerun. */
export const DONE: readonly ActionStatus[] = ['success', 'failure', 'cancelled', 'skipped'];
/** The states of unfinished ones. */
export const UNDONE: readonly ActionStatus[] = ['waiting', 'blocked', 'running'];

/** Whether it is over. */
export function isDone(status: ActionStatus): boolean {
  return DONE.includes(status);
}

/** The parts of a job that determine the state of its run. */
type CountedJob = Pick<ActionJob, 'status' | 'job_key' | 'fail_fast' | 'continue_on_error'>;

/** The state of a run, by its jobs. */
export function statusOfRun(jobs: readonly CountedJob[]): ActionStatus {
  const failing = new Set(jobs.filter(endsMatrix).map((job) => job.job_key));
  return aggregateStatus(
    jobs.map((job) => {
      if (job.status === 'failure' && job.continue_on_error) return 'success';
      // The failure of another job of its matrix has cancelled it.
      return job.status === 'cancelled' && job.fail_fast && failing.has(job.job_key) ? 'failure' : job.status;
    }),
  );
}

/** Whether a job has failed, and ends the others of its matrix. */
export function endsMatrix({ status, fail_fast: failFast, continue_on_error: isTolerated }: CountedJob): boolean {
  return status === 'failure' && failFast && !isTolerated;
}

function aggregateStatus(statuses: readonly ActionStatus[]): ActionStatus {
  const has = (status: ActionStatus) => statuses.includes(status);
  if (statuses.length > 0 && statuses.every((status) => status === 'skipped')) return 'skipped';
  if (statuses.length > 0 && statuses.every((status) => status === 'skipped' || status === 'success')) return 'success';
  // A cancelled one decides, even while others run.
  return (['cancelled', 'running', 'waiting', 'failure', 'blocked'] as const).find(has) ?? 'failure';
}

/** The duration in seconds, so far. */
export function durationOf({ started_at: start, stopped_at: stop, status, updated_at: updated }: DurationRow, time: number): number {
  if (start === 0) return 0;
  if (!isDone(status)) return Math.max(0, time - start);
  const end = stop >= start ? stop : updated;
  return Math.max(0, end - start);
}

interface DurationRow {
  readonly started_at: number;
  readonly stopped_at: number;
  readonly status: ActionStatus;
  readonly updated_at: number;
}
