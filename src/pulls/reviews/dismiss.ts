import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ReviewRow } from '../../database/tables/pulls.ts';
import { forbidden } from '../../http/errors.ts';
import { issueEvent } from '../../issues/event.ts';
import { changingIssue, type Issue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import type { Pull } from '../find.ts';

const BY_RULE = 'New commits pushed, approval review dismissed automatically according to repository settings';

/**
 * Dismisses a decision, and records the reason on the timeline.
 * @param options.priors also dismisses the earlier decisions of the same reviewer
 * @throws HttpError 403 for reviews without a decision, and for closed pull requests
 */
export async function dismissReview(
  context: Context,
  pull: Pull,
  review: ReviewRow,
  { message, priors }: { message: string; priors: boolean },
): Promise<ReviewRow> {
  return changingDecision(context, pull, review, async (context, issue) => {
    await mark(context, review, true);
    if (priors && review.reviewer_id !== null) await markAll(context, issue, review.reviewer_id);
    await emitDismissed(context, issue, review, message);
  });
}

/** Makes a dismissed decision count again. @throws HttpError 403 as {@link dismissReview} */
export async function undismissReview(context: Context, pull: Pull, review: ReviewRow): Promise<ReviewRow> {
  return changingDecision(context, pull, review, async (context, issue) => {
    await mark(context, review, false);
    await context.events.emit(context, 'review.undismissed', { ...issueEvent(context, issue), reviewId: review.id });
  });
}

/** Dismisses the approvals of other commits than the head, if the rule of the base requires it. The caller holds the lock of the issues. */
export async function dismissApprovals(context: Context, issue: Issue, head: string): Promise<void> {
  const approvals = await context.db
    .selectFrom('reviews')
    .selectAll()
    .where('issue_id', '=', issue.id)
    .where('type', '=', 'approve')
    .where('is_dismissed', '=', false)
    .where('commit_id', '!=', head)
    .orderBy('id')
    .execute();
  for (const approval of approvals) {
    await mark(context, approval, true);
    await emitDismissed(context, issue, approval, BY_RULE);
  }
}

async function changingDecision(
  context: Context,
  pull: Pull,
  { id, type }: ReviewRow,
  change: (context: Context, issue: Issue) => Promise<void>,
): Promise<ReviewRow> {
  if (type !== 'approve' && type !== 'reject') {
    throw forbidden("not need to dismiss this review because it's type is not Approve or change request");
  }
  return changingIssue(context, pull.issue, async (context, issue) => {
    if (issue.is_closed) throw forbidden("can't dismiss a review associated to a closed or merged PR");
    await change(context, issue);
    return context.db.selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  });
}

async function mark({ db }: Context, { id }: ReviewRow, isDismissed: boolean): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ is_dismissed: isDismissed, updated_at: now() })
    .where('id', '=', id)
    .where('is_dismissed', '!=', isDismissed)
    .execute();
}

async function markAll({ db }: Context, issue: Issue, reviewerId: number): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ is_dismissed: true, updated_at: now() })
    .where('issue_id', '=', issue.id)
    .where('reviewer_id', '=', reviewerId)
    .where('type', 'in', ['approve', 'reject'])
    .where('is_dismissed', '=', false)
    .execute();
}

async function emitDismissed(context: Context, issue: Issue, review: ReviewRow, message: string): Promise<void> {
  const { id } = await addEvent(context, issue, 'dismiss_review', { body: message, review_id: review.id });
  await context.events.emit(context, 'review.dismissed', { ...issueEvent(context, issue), reviewId: review.id, commentId: id });
}
