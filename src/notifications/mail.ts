import { findUserById } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { StoredEvent } from '../events/events.ts';
import { canReadIssue } from '../issues/find.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type IssueActivity, writeIssueMail } from './issue-mail.ts';
import { sends, wantsMail } from './mail-preferences.ts';
import { type Mailing, mailAll, mailSome } from './mailing.ts';
import { type ISSUE_EVENTS, pullThatIsReady } from './notify.ts';
import { pushText } from './push-text.ts';
import { findEventIssue, followersOf, requestedReviewerIds } from './receivers.ts';
import { releaseMailing } from './release-mail.ts';
import { reviewText } from './review-text.ts';

/** Events that are mailed to the subscribers of an issue. */
type FollowedEvent = (typeof ISSUE_EVENTS)[number] | 'pull.merged';

/** Mailed events, besides transfers. */
export type MailedEvent = FollowedEvent | 'issue.edited' | 'issue.assigned' | 'review.requested' | 'release.published';

/** Mails an event to the users who want it. */
export async function mailOf(event: StoredEvent<MailedEvent>, context: Context): Promise<void> {
  const mailing = sends(context) ? await mailingOf(event, context) : undefined;
  if (mailing) await mailAll(context, event, mailing);
}

/** Mails an event to some of the users who want it. */
export async function mailOfTo({ event, userIds }: Jobs['notifications.mail'], context: Context): Promise<void> {
  const stored = event as StoredEvent<MailedEvent>;
  const mailing = sends(context) ? await mailingOf(stored, context) : undefined;
  if (mailing) await mailSome(context, stored, mailing, userIds);
}

function mailingOf(event: StoredEvent<MailedEvent>, context: Context): Promise<Mailing | undefined> {
  switch (event.type) {
    case 'release.published':
      return releaseMailing(event as StoredEvent<'release.published'>, context);
    case 'issue.edited':
      return readinessMailing(event as StoredEvent<'issue.edited'>, context);
    case 'issue.assigned':
      return assigneeMailing(event as StoredEvent<'issue.assigned'>, context);
    case 'review.requested':
      return reviewerMailing(event as StoredEvent<'review.requested'>, context);
    default:
      return issueMailing(event as StoredEvent<FollowedEvent>, context);
  }
}

/** An activity of an issue, for its followers and for the users whom it mentions, by their settings. */
async function issueMailing({ type, payload }: StoredEvent<FollowedEvent>, context: Context): Promise<Mailing | undefined> {
  const activity = await activityOf(context, type, payload);
  // A planned merge happens later, so the user who planned it gets a mail as well.
  const isAlone = 'isAutomatic' in payload && payload.isAutomatic;
  const mentioned = 'mentions' in payload ? payload.mentions : [];
  return activity && toFollowers(context, activity, { isNew: type === 'issue.opened', mentioned, isAlone });
}

/** That a pull request is a draft no longer. */
async function readinessMailing({ id, payload }: StoredEvent<'issue.edited'>, context: Context): Promise<Mailing | undefined> {
  const issue = await pullThatIsReady(context, payload);
  const actor = issue && (await findUserById(context.db, payload.actorId));
  if (!issue || !actor) return undefined;
  return toFollowers(context, { issue, actor, part: `ready/${id}`, deed: 'says that this is ready for a review', body: issue.body }, {});
}

function toFollowers(
  context: Context,
  activity: IssueActivity,
  { isNew = false, mentioned = [], isAlone = false }: { isNew?: boolean; mentioned?: readonly number[]; isAlone?: boolean },
): Mailing {
  const { issue, actor } = activity;
  const isMentioned = (user: User) => mentioned.includes(user.id);
  return about(context, activity, {
    candidates: async () => [...(await followersOf(context, issue, { isNew, withAssignees: true })), ...mentioned, actor.id],
    wants: (user) => wantsMail(user, { isActor: user.id === actor.id && !isAlone, isMentioned: isMentioned(user) }),
    reason: (user) => (isMentioned(user) ? 'mention' : user.id === issue.author_id ? 'author' : 'subscribed'),
  });
}

/** For a user who was assigned to an issue. */
async function assigneeMailing({ payload }: StoredEvent<'issue.assigned'>, context: Context): Promise<Mailing | undefined> {
  if (payload.assigneeId === payload.actorId) return undefined;
  const [issue, actor] = [await findEventIssue(context, payload.issueId), await findUserById(context.db, payload.actorId)];
  if (!issue || !actor) return undefined;
  const activity = { issue, actor, ...partOf(payload), deed: 'assigned you to this', body: '' };
  return about(context, activity, { ...forYou, candidates: async () => [payload.assigneeId], reason: () => 'assign' });
}

/** For requested reviewers. */
async function reviewerMailing({ payload }: StoredEvent<'review.requested'>, context: Context): Promise<Mailing | undefined> {
  if (payload.isRemoval) return undefined;
  const [issue, actor] = [await findEventIssue(context, payload.issueId), await findUserById(context.db, payload.actorId)];
  if (!issue || !actor) return undefined;
  const activity = { issue, actor, ...partOf(payload), deed: 'asked you for a review of this', body: '' };
  const candidates = () => requestedReviewerIds(context, issue, payload);
  return about(context, activity, { ...forYou, candidates, reason: () => 'review_requested' });
}

const forYou = { wants: (user: User) => wantsMail(user, { isActor: false, isMentioned: true }) };

function about(
  context: Context,
  activity: IssueActivity,
  { candidates, wants, reason }: Pick<Mailing, 'candidates' | 'wants'> & { reason: (user: User) => string },
): Mailing {
  const { issue } = activity;
  return {
    repository: issue.repository,
    candidates,
    wants,
    mayRead: (access) => canReadIssue(access, issue),
    write: (receiver) => writeIssueMail(context, activity, receiver, reason(receiver.user)),
  };
}

function partOf({ commentId }: { commentId: number }): Pick<IssueActivity, 'commentId' | 'part'> {
  return { commentId, part: `comment/${commentId}` };
}

async function activityOf(
  context: Context,
  type: FollowedEvent,
  payload: StoredEvent<FollowedEvent>['payload'],
): Promise<IssueActivity | undefined> {
  const [issue, actor] = [await findEventIssue(context, payload.issueId), await findUserById(context.db, payload.actorId)];
  if (!issue || !actor) return undefined;
  if (type === 'issue.opened') return { issue, actor, deed: 'opened this', body: issue.body };
  const commentId = 'commentId' in payload ? payload.commentId : 0;
  const comment = await context.db.selectFrom('comments').select(['kind', 'body']).where('id', '=', commentId).executeTakeFirst();
  // Deleted subjects are not mailed; a merge has a mail of its own.
  if (!comment || (type === 'issue.closed' && comment.kind === 'merge_pull')) return undefined;
  const activity = { issue, actor, ...partOf({ commentId }) };
  if ('reviewId' in payload) return { ...activity, ...(await reviewText(context, payload, comment.body)) };
  if ('commitIds' in payload) return { ...activity, ...(await pushText(context, issue, payload)) };
  if (type === 'pull.merged') return { ...activity, deed: 'merged this', body: '' };
  if (type !== 'issue.closed' && type !== 'issue.reopened' && type !== 'comment.created') return undefined;
  const deed = { 'issue.closed': 'closed this', 'issue.reopened': 'opened this again', 'comment.created': 'commented' }[type];
  return { ...activity, deed, body: comment.body };
}
