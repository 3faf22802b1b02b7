import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { CommentRow, TimelineKind } from '../database/tables/issues.ts';
import { HttpError } from '../http/errors.ts';
import { countEverywhere } from './counters.ts';
import { issueEvent } from './event.ts';
import type { Issue } from './find.ts';
import { stopIfRunning } from './stopwatches/stopwatches.ts';
import { addEvent } from './timeline/events.ts';

/**
 * Refuses changes of the state of a merged pull request, which stays closed.
 * @throws HttpError 412
 */
export function refuseOnceMerged({ merged_at: mergedAt }: Pick<Issue, 'merged_at'>): void {
  if (mergedAt !== null) throw new HttpError(412, 'cannot change state of this pull request, it was already merged');
}

/** Why an issue was closed or reopened. */
export interface StateChange {
  /** The commit whose message did it. */
  commitId?: string;
  /** The kind of the timeline row; a merge closes a pull request with its own. */
  kind?: Extract<TimelineKind, 'close' | 'merge_pull'>;
  /** The repository of its head is being deleted. */
  isHeadBeingDeleted?: true;
}

/**
 * Closes an open issue; the caller's stopwatch on it stops. The caller holds the lock of the issues.
 * @returns the timeline row; undefined when it was closed already
 */
export async function closeIssue(
  context: Context,
  issue: Issue,
  { commitId, kind = 'close', isHeadBeingDeleted }: StateChange = {},
): Promise<CommentRow | undefined> {
  if (issue.is_closed) return undefined;
  await context.db.updateTable('issues').set({ is_closed: true, closed_at: now() }).where('id', '=', issue.id).execute();
  await countEverywhere(context, issue, { issues: 0, closed: 1 });
  const row = await addEvent(context, issue, kind);
  await stopIfRunning(context, issue);
  const reason = { ...(commitId && { commitId }), ...(isHeadBeingDeleted && { isHeadBeingDeleted }) };
  await context.events.emit(context, 'issue.closed', { ...issueEvent(context, issue), commentId: row.id, ...reason });
  return row;
}

/** Reopens a closed issue. The caller holds the lock of the issues. */
export async function reopenIssue(context: Context, issue: Issue, { commitId }: Pick<StateChange, 'commitId'> = {}): Promise<void> {
  if (!issue.is_closed) return;
  await context.db.updateTable('issues').set({ is_closed: false, closed_at: null }).where('id', '=', issue.id).execute();
  await countEverywhere(context, issue, { issues: 0, closed: -1 });
  const { id: commentId } = await addEvent(context, issue, 'reopen');
  await context.events.emit(context, 'issue.reopened', { ...issueEvent(context, issue), commentId, ...(commitId && { commitId }) });
}
