import { findUserById, findUsersById } from '../../access/find-user.ts';
import { branchRule } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import type { Events, StoredEvent } from '../../events/events.ts';
import { GitError, runGit } from '../../git/process.ts';
import { findIssuesById } from '../../issues/find.ts';
import { findPullOfIssue, type Pull } from '../find.ts';
import { dismissApprovals } from './dismiss.ts';
import { followLines } from './follow-lines.ts';
import { isOfficial } from './official.ts';

/** Bytes of the list of files: that there is one is all that is asked. */
const MAX_OUTPUT = 1024 * 1024;
/** Others wait for the change meanwhile; what takes longer, or cannot be told, counts as changed. */
const TIMEOUT_MS = 10_000;

/**
 * Whether a pull request changes something else with the commit `after` as its head than with `before`: whether files differ from what
 * they were in both `before` and the base. Bringing in the base changes nothing.
 */
export async function contentChanged({ git }: Context, pull: Pull, before: string, after: string): Promise<boolean> {
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

/**
 * After new commits: marks reviews of what has changed as stale, and dismisses approvals where the rule wants that. Within the change
 * that moves the head, so that nobody merges in between what was approved before.
 */
export async function markStale({ issueId, actorId, oldId, newId }: Events['pull.synchronized'], context: Context): Promise<void> {
  const { db } = context;
  const reviewed = await db.selectFrom('reviews').select('id').where('issue_id', '=', issueId).limit(1).executeTakeFirst();
  const pull = reviewed && (await pullOfIssue(context, issueId));
  if (!pull) return;
  if (await contentChanged(context, pull, oldId, newId)) {
    await db.updateTable('reviews').set({ is_stale: true }).where('issue_id', '=', issueId).execute();
    const rule = await branchRule(context, pull.issue.repository, pull.base_branch);
    const actor = (await findUserById(db, actorId)) ?? null;
    if (rule?.dismiss_stale_approvals) await dismissApprovals({ ...context, actor }, pull.issue, newId);
  }
  await db.updateTable('reviews').set({ is_stale: false }).where('issue_id', '=', issueId).where('commit_id', '=', newId).execute();
}

/** After new commits: moves comments to where their lines are now. */
export async function moveComments({ payload }: StoredEvent<'pull.synchronized' | 'pull.retargeted'>, context: Context): Promise<void> {
  const pull = await pullOfIssue(context, payload.issueId);
  if (pull) await followLines(context, pull);
}

/** After it got another base: its rule says whose decisions count. Within that change. */
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
