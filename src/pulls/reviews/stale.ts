import { findUsersById } from '../../access/find-user.ts';
import { branchRule } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import type { Events, StoredEvent } from '../../events/events.ts';
import { GitError, runGit } from '../../git/processes/process.ts';
import { findIssuesById } from '../../issues/find.ts';
import { findPullOfIssue, type Pull } from '../find.ts';
import { dismissApprovals } from './dismiss.ts';
import { followLines } from './follow-lines.ts';
import { isOfficial } from './official.ts';

/** Size limit of the list of files: only whether it is empty matters. */
const MAX_OUTPUT = 1024 * 1024;
/** The pusher waits for it; if it takes longer, or fails, the content counts as changed. */
const TIMEOUT_MS = 10_000;

/**
 * Whether the changes of a pull request are different with `after` as its head than with `before`: whether files differ both from `before`
 * and from the base. Merging the base changes nothing.
 */
export async function contentChanged(
  { git }: Context,
  pull: Pick<Pull, 'issue' | 'merge_base'>,
  before: string,
  after: string,
): Promise<boolean> {
  if (before === after) return false;
  const { path: cwd } = git.locate(pull.issue.repository);
  const base = pull.merge_base === '' ? [] : [pull.merge_base];
  try {
    const args = ['diff', '--name-only', '--no-renames', '-z', '--end-of-options', after, before, ...base, '--'];
    return (await runGit(args, { cwd, timeoutMs: TIMEOUT_MS, maxOutput: MAX_OUTPUT })).stdout.length > 0;
  } catch (error) {
    if (error instanceof GitError) return true;
    throw error;
  }
}

/** Whether a pull request has reviews that new commits can make stale. */
export async function hasReviews({ db }: Pick<Context, 'db'>, issueId: number): Promise<boolean> {
  return (await db.selectFrom('reviews').select('id').where('issue_id', '=', issueId).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * After new commits: marks reviews as stale if the changes are different, and dismisses approvals if the rule requires that. Part of the
 * change that moves the head, so that nobody merges in between what was approved before.
 * @param pull with the new head
 * @param isChanged see {@link contentChanged}
 */
export async function markStale(context: Context, pull: Pull, isChanged: boolean): Promise<void> {
  const { db } = context;
  const { issue, head_id: head } = pull;
  if (isChanged) {
    await db.updateTable('reviews').set({ is_stale: true }).where('issue_id', '=', issue.id).execute();
    const rule = await branchRule(context, issue.repository, pull.base_branch);
    if (rule?.dismiss_stale_approvals) await dismissApprovals(context, issue, head);
  }
  await db.updateTable('reviews').set({ is_stale: false }).where('issue_id', '=', issue.id).where('commit_id', '=', head).execute();
}

/** After new commits: updates the current lines of comments. */
export async function moveComments({ payload }: StoredEvent<'pull.synchronized' | 'pull.retargeted'>, context: Context): Promise<void> {
  const pull = await pullOfIssue(context, payload.issueId);
  if (pull) await followLines(context, pull);
}

/** After a change of the base: its rule says whose decisions count. Within that change. */
export async function countAnew({ issueId }: Events['pull.retargeted'], context: Context): Promise<void> {
  const pull = await pullOfIssue(context, issueId);
  if (!pull) return;
  const reviews = await context.db
    .selectFrom('reviews')
    .select((select) => ['reviewer_id', select.fn.max('id').as('id')])
    .where('issue_id', '=', issueId)
    .where('type', 'in', ['approve', 'reject', 'request'])
    .where('reviewer_id', 'is not', null)
    .where('original_author_id', '=', 0)
    .groupBy('reviewer_id')
    .execute();
  const reviewers = await findUsersById(
    context.db,
    reviews.flatMap((review) => review.reviewer_id ?? []),
  );
  for (const { id, reviewer_id: reviewerId } of reviews) {
    const reviewer = reviewers.get(reviewerId ?? 0);
    const official = reviewer !== undefined && (await isOfficial(context, pull, reviewer));
    await context.db.updateTable('reviews').set({ is_official: official }).where('id', '=', id).execute();
  }
}

async function pullOfIssue({ db }: Context, issueId: number): Promise<Pull | undefined> {
  const issue = (await findIssuesById(db, [issueId])).get(issueId);
  return issue && findPullOfIssue(db, issue);
}
