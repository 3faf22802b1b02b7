import { now } from '../../clock.ts';
import { type AnnouncedMove, refsMoved } from '../../code/refs-moved.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { PullMergeRow, PullStatus } from '../../database/tables/pulls.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import { issueEvent } from '../../issues/event.ts';
import { type Issue, lockIssues } from '../../issues/find.ts';
import { closeIssue } from '../../issues/state.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import { headRef, type Pull } from '../find.ts';
import { followReferences, referencesOf } from './closing.ts';

/** The result of a merge. */
export interface FinishedMerge extends Pick<PullMergeRow, 'style' | 'base_branch' | 'head_id' | 'commit_id' | 'is_automatic'> {
  /** Seconds; now when left out. */
  readonly at?: number;
}

/**
 * Marks a pull request as merged, in the caller's name and in one transaction with all consequences: it and the issues that it names are
 * closed, and the events are emitted.
 * @param move the announced move of the base branch, which this completes
 * @returns whether it was not merged before
 */
export async function finishMerge(context: Context, pull: Pull, merge: FinishedMerge, move?: AnnouncedMove): Promise<boolean> {
  const { id, repository } = pull.issue;
  const references = await referencesOf(context, pull.issue);
  const isNew = await inTransaction(context, async (context) => {
    const { db } = context;
    await lockIssues(context, [repository.id, ...references.map(({ issue }) => issue.repository_id)]);
    // The branch has moved, whatever happened to the pull request.
    if (move) await refsMoved(context, repository, move.updates, { move });
    await db.deleteFrom('pull_merges').where('pull_id', '=', pull.id).execute();
    await db.deleteFrom('pull_auto_merges').where('pull_id', '=', pull.id).execute();
    if (!(await markMerged(context, pull, merge))) return false;
    const at = merge.at ?? now();
    const row = await db.updateTable('issues').set({ merged_at: at }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await emitMerged(context, { ...row, repository }, merge);
    await followReferences(context, references, merge.commit_id);
    return true;
  });
  if (isNew) await keepMergedHead(context, pull, merge);
  return isNew;
}

async function emitMerged(context: Context, issue: Issue, { style, is_automatic: isAutomatic }: FinishedMerge): Promise<void> {
  const row = (await closeIssue(context, issue, { kind: 'merge_pull' })) ?? (await addEvent(context, issue, 'merge_pull'));
  await context.events.emit(context, 'pull.merged', { ...issueEvent(context, issue), commentId: row.id, style, isAutomatic });
}

async function markMerged({ db, actor }: Context, pull: Pull, merge: FinishedMerge): Promise<boolean> {
  const status: PullStatus | undefined = merge.style === 'manually-merged' ? 'manually_merged' : undefined;
  const { numUpdatedRows } = await db
    .updateTable('pull_requests')
    .set({
      merged_commit_id: merge.commit_id,
      merge_style: merge.style,
      merger_id: actor?.id ?? pull.issue.repository.owner_id,
      // Even if something else was requested meanwhile: this is what happened.
      base_branch: merge.base_branch,
      head_id: merge.head_id,
      merge_base: pull.merge_base,
      status: status ?? (pull.status === 'checking' ? 'mergeable' : pull.status),
      conflicted_files: '[]',
    })
    .where('id', '=', pull.id)
    .where('merged_commit_id', '=', '')
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** A push during the merge may have moved the ref of the head. */
async function keepMergedHead({ git }: Context, { number, issue }: Pull, { head_id: head }: FinishedMerge): Promise<void> {
  const folder = git.locate(issue.repository);
  const name = headRef({ number });
  if (storedRef(folder, name) !== head) await updateRef(folder, { name, to: head });
}
