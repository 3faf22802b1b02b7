import { findUsersById } from '../../access/find-user.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { ReviewType } from '../../database/tables/pulls.ts';
import type { Events } from '../../events/events.ts';
import { findIssuesById } from '../../issues/find.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import type { CommittingEvent } from './at-commit.ts';
import { countedBefore, inMilestoneBefore, isDraft, presentMatter, withFirstLabels } from './issues.ts';
import { actorOf, presentSender } from './people.ts';
import { repositoryFor } from './repositories.ts';

const EVENTS: Partial<Record<ReviewType, DeliveredEvent>> = {
  approve: 'pull_request_review_approved',
  reject: 'pull_request_review_rejected',
  comment: 'pull_request_review_comment',
};

/** Delivers a submitted review. */
export async function enqueueReview(event: CommittingEvent<'review.submitted'>, context: Context, receivers: Receivers): Promise<void> {
  const { issueId, reviewId, actorId } = event.payload;
  const issue = (await findIssuesById(context.db, [issueId])).get(issueId);
  const review = await context.db.selectFrom('reviews').select(['type', 'body']).where('id', '=', reviewId).executeTakeFirst();
  const name = review && EVENTS[review.type];
  if (!issue || !name) return;
  const payload = async (viewer?: User) => {
    const actor = await actorOf(context, actorId);
    return {
      action: 'reviewed',
      number: issue.number,
      ...(await presentMatter(context, issue, viewer ?? actor)),
      requested_reviewer: presentSender(context, actor),
      // In these payloads, clients expect the permissions of everybody.
      repository: await repositoryFor(context, issue.repository, null),
      sender: presentSender(context, actor),
      commit_id: '',
      review: { type: name, content: review.body },
    };
  };
  await enqueueDeliveries(context, receivers, { event: name, payload, completion: { kind: 'pull' } });
}

/** Delivers a review request or its removal; one for a team as one for each of its members. */
export async function enqueueReviewRequest(
  event: CommittingEvent<'review.requested'>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  const { issueId, actorId, isRemoval, isNew = false } = event.payload;
  const found = (await findIssuesById(context.db, [issueId])).get(issueId);
  if (!found) return;
  const counted = isNew ? { all: 1 } : {};
  const issue = { ...found, repository: countedBefore(found.repository, true, counted) };
  // As with all that a pull request begins with, a draft counts in its repository at once.
  const repository = isDraft(context, found) ? found.repository : issue.repository;
  const actor = await actorOf(context, actorId);
  const matter = (viewer: User = actor) => presentMatter(context, issue, viewer);
  for (const reviewer of await reviewersOf(context, event.payload)) {
    const payload = async (viewer?: User) => ({
      action: isRemoval ? 'review_request_removed' : 'review_requested',
      number: issue.number,
      ...inMilestoneBefore(isNew ? withFirstLabels(await matter(viewer)) : await matter(viewer), counted),
      requested_reviewer: presentSender(context, reviewer),
      repository: await repositoryFor(context, repository, actor),
      sender: presentSender(context, actor),
      commit_id: '',
      review: null,
    });
    await enqueueDeliveries(context, receivers, { event: 'pull_request_review_request', payload, completion: { kind: 'pull' } });
  }
}

async function reviewersOf({ db }: Context, { reviewerId, teamId }: Events['review.requested']): Promise<User[]> {
  if (reviewerId !== undefined) return [...(await findUsersById(db, [reviewerId])).values()];
  if (teamId === undefined) return [];
  const rows = await db.selectFrom('team_members').select('user_id').where('team_id', '=', teamId).orderBy('user_id').execute();
  const users = await findUsersById(
    db,
    rows.map((row) => row.user_id),
  );
  return rows.flatMap((row) => users.get(row.user_id) ?? []);
}
