import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { PullRow } from '../../database/tables/pulls.ts';
import { isAncestor, listCommits, mergeBase } from '../../git/history/log.ts';
import { withMutex } from '../../git/mutex.ts';
import { issueEvent } from '../../issues/event.ts';
import { changingIssue, type Issue } from '../../issues/find.ts';
import type { Pull } from '../find.ts';
import { contentChanged, hasReviews, markStale } from '../reviews/stale.ts';
import { addPushEvent, MAX_NAMED_COMMITS, type PushContent } from './push-events.ts';
import { takeOver } from './take-over.ts';
import { branchTip, headTip } from './tips.ts';
import { keepHeadNow } from './write-ref.ts';

/** How often a head that keeps moving is followed; the next push does the rest. */
const MAX_ROUNDS = 3;

/**
 * Moves an open pull request to the current commit of its head branch: copies its commits, records them in the timeline, and moves the
 * ref. What another caller has done already is not repeated.
 */
export async function syncHead(context: Context, pull: Pull): Promise<void> {
  await withMutex(`head of pull ${pull.id}`, async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const row = await context.db.selectFrom('pull_requests').selectAll().where('id', '=', pull.id).executeTakeFirst();
      if (!row || !(await follow(context, { ...row, issue: pull.issue }))) return;
    }
  });
}

/** @returns whether the head had moved */
async function follow(context: Context, pull: Pull): Promise<boolean> {
  const head = pull.head_repository_id === null ? undefined : await findRepository(context.db, pull.head_repository_id);
  const tip = await headTip(context, pull, head);
  if (!head || tip === undefined || tip === pull.head_id || pull.merged_commit_id !== '') return false;
  await takeOver(context, head, pull.issue.repository, { want: tip, have: pull.head_id });
  return moveHead(context, pull, tip);
}

/**
 * Moves an open pull request to another commit, which its repository already has.
 * @returns false when it has been moved, merged or closed meanwhile
 */
export async function moveHead(context: Context, pull: Pull, tip: string): Promise<boolean> {
  const { git } = context;
  const { repository } = pull.issue;
  const folder = git.locate(repository);
  const base = await branchTip(context, repository, pull.base_branch);
  const mergedFrom = base === undefined ? pull.merge_base : ((await mergeBase(folder, git.pool, base, tip)) ?? base);
  const isForced = !(await isAncestor(folder, git.pool, pull.head_id, tip));
  // After a forced push all commits are recorded, otherwise those that neither the head nor the base had.
  const known = isForced ? [mergedFrom] : [pull.head_id, ...(base === undefined ? [] : [base])];
  const history = { head: tip, exclude: known.filter((id) => id !== '') };
  const commits = (await listCommits(folder, git.pool, history, { limit: MAX_NAMED_COMMITS })).reverse();
  const comparison = () => contentChanged(context, { issue: pull.issue, merge_base: mergedFrom }, pull.head_id, tip);
  const isChanged = (await hasReviews(context, pull.issue_id)) ? await comparison() : undefined;
  const move: Move = { tip, mergeBase: mergedFrom, isForced, commits, isChanged };
  const change = (move: Move) => changingIssue(context, pull.issue, (context, issue) => record(context, pull, issue, move));
  const hasMoved = await change(move).catch(async (error: unknown) => {
    if (!(error instanceof ReviewedMeanwhileError)) throw error;
    return change({ ...move, isChanged: await comparison() });
  });
  if (hasMoved) await keepHeadNow(context, pull.id);
  return hasMoved;
}

/** The first review was submitted while the head was about to move: its commit has to be compared with the new head. */
class ReviewedMeanwhileError extends Error {
  override readonly name = 'ReviewedMeanwhileError';
}

interface Move {
  tip: string;
  mergeBase: string;
  isForced: boolean;
  /** Oldest first. */
  commits: string[];
  /** Whether the reviewed changes are different now; unknown where there are no reviews. Computed before the change, which others wait for. */
  isChanged: boolean | undefined;
}

/**
 * The caller holds the lock of the issues.
 * @returns false when somebody else was faster
 * @throws ReviewedMeanwhileError
 */
async function record(
  context: Context,
  pull: PullRow,
  issue: Issue,
  { tip, mergeBase, isForced, commits, isChanged }: Move,
): Promise<boolean> {
  if (issue.is_closed) return false;
  if (isChanged === undefined && (await hasReviews(context, issue.id))) throw new ReviewedMeanwhileError();
  const moved = await context.db
    .updateTable('pull_requests')
    .set({ head_id: tip, merge_base: mergeBase })
    .where('id', '=', pull.id)
    .where('head_id', '=', pull.head_id)
    .where('merged_commit_id', '=', '')
    .returningAll()
    .executeTakeFirst();
  if (!moved) return false;
  const newCommits = isForced ? await pruneEvents(context, issue, commits) : commits;
  const added = newCommits.length > 0 ? await addPushEvent(context, issue, { is_force_push: false, commit_ids: newCommits }) : undefined;
  const forced = isForced ? await addPushEvent(context, issue, { is_force_push: true, commit_ids: [pull.head_id, tip] }) : undefined;
  await context.events.emit(context, 'pull.synchronized', {
    ...issueEvent(context, issue),
    commentId: (forced ?? added)?.id ?? 0,
    oldId: pull.head_id,
    newId: tip,
    commitIds: commits,
    isForcePush: isForced,
  });
  if (isChanged !== undefined) await markStale(context, { ...moved, issue }, isChanged);
  return true;
}

/** Removes commits that a forced push has deleted from earlier rows. @returns the commits that no row names */
async function pruneEvents({ db }: Context, issue: Issue, commits: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('comments')
    .select(['id', 'body'])
    .where('issue_id', '=', issue.id)
    .where('kind', '=', 'pull_push')
    .orderBy('id')
    .execute();
  const left = new Set(commits);
  for (const { id, body } of rows) {
    const content = JSON.parse(body) as PushContent;
    if (content.is_force_push) continue;
    const kept = content.commit_ids.filter((commit) => left.delete(commit));
    if (kept.length === 0) await db.deleteFrom('comments').where('id', '=', id).execute();
    else if (kept.length < content.commit_ids.length) {
      const changed: PushContent = { is_force_push: false, commit_ids: kept };
      await db
        .updateTable('comments')
        .set({ body: JSON.stringify(changed) })
        .where('id', '=', id)
        .execute();
    }
  }
  return [...left];
}
