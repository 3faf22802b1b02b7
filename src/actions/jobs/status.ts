import type { ActionStatus } from '../../database/tables/actions.ts';

/** The states that do not change any more, but for a rerun. */
export const DONE: readonly ActionStatus[] = ['success', 'failure', 'cancelled', 'skipped'];
/** The states of what goes on, or will. */
export const UNDONE: readonly ActionStatus[] = ['waiting', 'blocked', 'running'];

/** Whether it is over. */
export function isDone(status: ActionStatus): boolean {
  return DONE.includes(status);
}

/** The state of a run, by those of its jobs. */
export function aggregateStatus(statuses: readonly ActionStatus[]): ActionStatus {
  const has = (status: ActionStatus) => statuses.includes(status);
  if (statuses.length > 0 && statuses.every((status) => status === 'skipped')) return 'skipped';
  if (statuses.length > 0 && statuses.every((status) => status === 'skipped' || status === 'success')) return 'success';
  // One that was cancelled decides, also while others go on.
  return (['cancelled', 'running', 'waiting', 'failure', 'blocked'] as const).find(has) ?? 'failure';
}

/** Seconds that something took, or has taken so far. */
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
