import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import { branchRule } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { ReviewRow, ReviewType } from '../../database/tables/pulls.ts';
import { unprocessable } from '../../http/errors.ts';
import { refuseBlocked } from '../../issues/blocked.ts';
import { issueEvent } from '../../issues/event.ts';
import { changingIssue, type Issue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import { findPullById, type Pull } from '../find.ts';
import { addCodeComments, codeCommentsOf, type NewCodeComment, type PlacedComment, placeComments } from './code-comments.ts';
import { followLines } from './follow-lines.ts';
import { clearOfficial, isOfficial } from './official.ts';
import { contentChanged } from './stale.ts';
import { type NamesInTexts, namesInTexts, publishNames } from './texts.ts';

/** A new review. */
export interface NewReview {
  type: Exclude<ReviewType, 'request'>;
  body: string;
  /** The reviewed commit, with its full id. */
  commitId: string;
  comments: readonly NewCodeComment[];
  /** The pending review to submit; otherwise the pending one, if any. */
  pendingId?: number;
}

/** A review that was submitted already. */
export const NOT_PENDING = 'only a pending review can be submitted';
/** How often a review is retried because the head moved while it was written. */
const MAX_ATTEMPTS = 5;

/**
 * Writes the caller's review: submits the pending one, if there is one, with its comments.
 * @throws HttpError 422 for a decision about a closed pull request, for an empty review, and if `pendingId` is submitted already; 403 for
 * blocked users
 */
export async function writeReview(context: Context, pull: Pull, review: NewReview): Promise<ReviewRow> {
  await refuseBlocked(context, pull.issue);
  refuseClosed(pull.issue, review.type);
  const placed = await placeComments(context, pull, review.comments, review.commitId);
  let current = pull;
  for (let attempt = 1; ; attempt++) {
    const written = await submit(context, current, review, placed, current.head_id !== pull.head_id);
    if (written) {
      if (placed.length > 0 && review.commitId !== current.head_id) await followLines(context, current);
      return written;
    }
    const moved = await findPullById(context.db, pull.id);
    if (!moved || attempt === MAX_ATTEMPTS) throw unprocessable('the pull request changes too quickly to be reviewed');
    current = moved;
  }
}

function refuseClosed(issue: Issue, type: ReviewType): void {
  if (issue.is_closed && isDecision(type)) throw unprocessable("can't submit review for a closed or merged PR");
}

/** Whether reviews of this type are a decision, so that the latest one of a reviewer replaces the earlier ones. */
function isDecision(type: ReviewType): boolean {
  return type === 'approve' || type === 'reject';
}

/** A review with the data that is computed before the change. */
interface Prepared extends NewReview {
  actor: User;
  placed: readonly PlacedComment[];
  names: NamesInTexts;
  isStale: boolean;
  /** The head has moved since the reviewer's request. */
  hasMoved: boolean;
}

/** Returns undefined when head or base have moved since `pull` was read. */
async function submit(
  context: Context,
  pull: Pull,
  review: NewReview,
  placed: readonly PlacedComment[],
  hasMoved: boolean,
): Promise<ReviewRow | undefined> {
  const actor = signedInActor(context);
  const { type, commitId } = review;
  const isStale = isDecision(type) && commitId !== pull.head_id && (await contentChanged(context, pull, commitId, pull.head_id));
  const draft = await pendingReview(context, pull.issue_id, actor);
  const earlier = draft ? await codeCommentsOf(context, draft) : [];
  const texts = [review, ...placed, ...earlier].map(({ body }) => body);
  const names = await namesInTexts(context, pull.issue, texts);
  const prepared = { ...review, actor, placed, names, isStale, hasMoved };
  return changingIssue(context, pull.issue, (context, issue) => record(context, { ...pull, issue }, prepared), names.repositoryIds);
}

/** The caller holds the lock of the issues. */
async function record(context: Context, pull: Pull, review: Prepared): Promise<ReviewRow | undefined> {
  const { issue } = pull;
  const { actor, type, body, commitId, placed, isStale } = review;
  if (await isAnother(context, pull)) return undefined;
  refuseClosed(issue, type);
  const existing = await pendingReview(context, issue.id, actor);
  if (review.pendingId !== undefined && review.pendingId !== existing?.id) throw unprocessable(NOT_PENDING);
  const pending = existing ?? (placed.length > 0 ? await insertReview(context, issue, actor, { type: 'pending', commitId }) : undefined);
  if (pending) await addCodeComments(context, issue, pending, placed);
  const comments = pending ? await codeCommentsOf(context, pending) : [];
  if (type !== 'approve' && comments.length === 0 && body.trim() === '') throw unprocessable('Review content is empty');
  if (isDecision(type)) await clearOfficial(context, issue.id, actor.id);
  const row = await saveReview(context, issue, actor, pending, {
    type,
    body,
    commitId,
    is_official: isDecision(type) && (await isOfficial(context, pull, actor)),
    is_stale: isStale,
    is_dismissed: isStale && review.hasMoved && type === 'approve' && (await dismissesStale(context, pull)),
  });
  const shown = await addEvent(context, issue, 'review', { body, review_id: row.id });
  if (type === 'pending') return row;
  await fulfilRequests(context, issue, actor, type);
  await publishNames(context, issue, [shown, ...comments], review.names);
  const mentions = review.names.mentioned.map(({ id }) => id);
  const event = { ...issueEvent(context, issue), reviewId: row.id, commentId: shown.id, mentions };
  await context.events.emit(context, 'review.submitted', event);
  return row;
}

async function isAnother({ db }: Context, { id, head_id: head, base_branch: base }: Pull): Promise<boolean> {
  const columns = ['head_id', 'base_branch'] as const;
  const current = await db.selectFrom('pull_requests').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
  return current.head_id !== head || current.base_branch !== base;
}

async function dismissesStale(context: Context, { issue, base_branch: branch }: Pull): Promise<boolean> {
  return (await branchRule(context, issue.repository, branch))?.dismiss_stale_approvals ?? false;
}

/** The pending review of a user. */
export async function pendingReview({ db }: Pick<Context, 'db'>, issueId: number, user: User): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', user.id)
    .where('type', '=', 'pending')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

type ReviewFields = Pick<NewReview, 'type' | 'commitId'> & Partial<Pick<ReviewRow, 'body' | 'is_official' | 'is_stale' | 'is_dismissed'>>;

async function insertReview({ db }: Context, issue: Issue, actor: User, { commitId, ...fields }: ReviewFields): Promise<ReviewRow> {
  const at = now();
  return db
    .insertInto('reviews')
    .values({ ...fields, issue_id: issue.id, reviewer_id: actor.id, commit_id: commitId, created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function saveReview(
  context: Context,
  issue: Issue,
  actor: User,
  pending: ReviewRow | undefined,
  { type, body, commitId, is_official, is_stale, is_dismissed }: Required<ReviewFields>,
): Promise<ReviewRow> {
  const fields = { type, body, is_official, is_stale, is_dismissed };
  const { db } = context;
  if (!pending) {
    if (isDecision(type)) await dismissEarlier(context, issue, actor);
    return insertReview(context, issue, actor, { ...fields, commitId });
  }
  return db
    .updateTable('reviews')
    .set({ ...fields, commit_id: commitId, updated_at: now() })
    .where('id', '=', pending.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Dismisses earlier decisions, so that none of them counts again if the new one is dismissed. */
async function dismissEarlier({ db }: Context, issue: Issue, actor: User): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ is_dismissed: true, updated_at: now() })
    .where('issue_id', '=', issue.id)
    .where('reviewer_id', '=', actor.id)
    .where('type', 'in', ['approve', 'reject'])
    .execute();
}

/** A review fulfils the request for it; a decision also those for teams of the reviewer. */
async function fulfilRequests({ db }: Context, issue: Issue, actor: User, type: ReviewType): Promise<void> {
  const requests = db.deleteFrom('reviews').where('issue_id', '=', issue.id).where('type', '=', 'request');
  await requests.where('reviewer_id', '=', actor.id).execute();
  if (!isDecision(type) || issue.repository.owner.type !== 'organization') return;
  await requests
    .where('reviewer_team_id', 'in', (teams) => teams.selectFrom('team_members').select('team_id').where('user_id', '=', actor.id))
    .execute();
}
