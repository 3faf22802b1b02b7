import { sql } from 'kysely';
import { findUsersById } from '../access/find-user.ts';
import { now } from '../clock.ts';
import { afterCommit, type Context, inTransaction } from '../context.ts';
import type { Events, StoredEvent } from '../events/events.ts';
import type { Issue } from '../issues/find.ts';
import { isDraftTitle } from '../issues/present.ts';
import { subjects } from '../processes/subjects.ts';
import { findEventIssue, followersOf, receivers, requestedReviewerIds } from './receivers.ts';

/** Rows that are written at once. */
const BATCH = 500;

/** The events that the followers of an issue are notified of. */
export type IssueEventType = (typeof ISSUE_EVENTS)[number];

/** Without merges: a merge closes the pull request, which is an event already. */
export const ISSUE_EVENTS = [
  'issue.opened',
  'issue.closed',
  'issue.reopened',
  'comment.created',
  'review.submitted',
  'review.dismissed',
  'pull.synchronized',
] as const;

/** Notifies the followers of an issue, and the users whom it mentions. */
export async function notifyOfIssue({ type, payload }: StoredEvent<IssueEventType>, context: Context): Promise<void> {
  const issue = await findEventIssue(context, payload.issueId);
  // A push that brought nothing new has no row in the timeline.
  if (!issue || (type === 'pull.synchronized' && 'commentId' in payload && payload.commentId === 0)) return;
  const followers = await followersOf(context, issue, { isNew: type === 'issue.opened' });
  followers.delete(payload.actorId);
  const mentioned = 'mentions' in payload ? payload.mentions : [];
  await notify(context, issue, [...followers, ...mentioned], payload.actorId);
}

/** The user who merges a pull request has read it. */
export async function readByMerger({ payload }: StoredEvent<'pull.merged'>, context: Context): Promise<void> {
  if (payload.isAutomatic) return;
  await context.db
    .updateTable('notifications')
    .set({ status: 'read', updated_at: now() })
    .where('user_id', '=', payload.actorId)
    .where('issue_id', '=', payload.issueId)
    .where('status', '=', 'unread')
    .execute();
  afterCommit(context, () => context.wakeUps.notify([subjects.notifications(payload.actorId)]));
}

/** Notifies the followers of a pull request that it is no longer a draft. */
export async function notifyOfReadiness({ payload }: StoredEvent<'issue.edited'>, context: Context): Promise<void> {
  const issue = await pullThatIsReady(context, payload);
  if (!issue) return;
  const followers = await followersOf(context, issue, { isNew: false });
  followers.delete(payload.actorId);
  await notify(context, issue, [...followers], payload.actorId);
}

/** The title of the pull request no longer marks it as a draft. */
export async function pullThatIsReady(context: Context, { issueId, oldTitle }: Events['issue.edited']): Promise<Issue | undefined> {
  const prefixes = context.settings.pulls.workInProgressPrefixes;
  if (oldTitle === undefined || !isDraftTitle(prefixes, oldTitle)) return undefined;
  const issue = await findEventIssue(context, issueId);
  return issue?.is_pull && !isDraftTitle(prefixes, issue.title) ? issue : undefined;
}

/** Notifies a user who was assigned to an issue. */
export async function notifyAssignee({ payload }: StoredEvent<'issue.assigned'>, context: Context): Promise<void> {
  if (payload.assigneeId === payload.actorId) return;
  const issue = await findEventIssue(context, payload.issueId);
  if (issue) await notify(context, issue, [payload.assigneeId], payload.actorId);
}

/** Notifies the requested reviewers. */
export async function notifyReviewers({ payload }: StoredEvent<'review.requested'>, context: Context): Promise<void> {
  const issue = payload.isRemoval ? undefined : await findEventIssue(context, payload.issueId);
  if (issue) await notify(context, issue, await requestedReviewerIds(context, issue, payload), payload.actorId);
}

/** Notifies the users who can accept the transfer of a repository. */
export async function notifyRecipient({ payload }: StoredEvent<'repository.transfer-started'>, context: Context): Promise<void> {
  const { repositoryId, recipientId, actorId } = payload;
  const at = now();
  const row = { repository_id: repositoryId, source: 'repository' as const, updated_by: actorId, created_at: at, updated_at: at };
  const repository = await context.db.selectFrom('repositories').select('id').where('id', '=', repositoryId).executeTakeFirst();
  const userIds = repository ? await recipientsOfTransfer(context, recipientId) : [];
  if (userIds.length === 0) return;
  // All or none: a retry would notify some of them twice.
  await inTransaction(context, async ({ db }) => {
    for (let at = 0; at < userIds.length; at += BATCH) {
      const values = userIds.slice(at, at + BATCH).map((id) => ({ ...row, user_id: id }));
      await db.insertInto('notifications').values(values).execute();
    }
  });
  context.wakeUps.notify(userIds.map(subjects.notifications));
}

/** Users who can accept the transfer: the user, or those who may create repositories in the organization. */
export async function recipientsOfTransfer({ db }: Context, recipientId: number): Promise<number[]> {
  const recipient = (await findUsersById(db, [recipientId])).get(recipientId);
  if (recipient?.type !== 'organization') return recipient ? [recipient.id] : [];
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('team_members.user_id')
    .distinct()
    .where('teams.organization_id', '=', recipientId)
    .where((where) => where.or([where('teams.can_create_repositories', '=', true), where('teams.access_level', '=', 4)]))
    .execute();
  return rows.map((row) => row.user_id);
}

/** One thread for each issue: what has been read becomes unread again, what is pinned stays so. */
async function notify(context: Context, issue: Issue, userIds: readonly number[], actorId: number): Promise<void> {
  const at = now();
  const source = issue.is_pull ? 'pull' : 'issue';
  const thread = {
    repository_id: issue.repository_id,
    source,
    issue_id: issue.id,
    updated_by: actorId,
    created_at: at,
    updated_at: at,
  } as const;
  for await (const users of receivers(context, issue, userIds)) {
    if (users.length === 0) continue;
    await context.db
      .insertInto('notifications')
      .values(users.map(({ id }) => ({ ...thread, user_id: id })))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'issue_id']).where('issue_id', 'is not', null).doUpdateSet({
          status: sql`case when notifications.status = 'read' then 'unread' else notifications.status end`,
          updated_by: actorId,
          updated_at: at,
        }),
      )
      .execute();
    afterCommit(context, () => context.wakeUps.notify(users.map(({ id }) => subjects.notifications(id))));
  }
}
