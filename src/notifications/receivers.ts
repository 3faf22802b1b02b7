import { findUsersById } from '../access/find-user.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Events } from '../events/events.ts';
import { canReadIssue, findIssuesById, type Issue } from '../issues/find.ts';
import { isDraftTitle } from '../issues/present.ts';
import { PARTICIPATION } from '../issues/subscriptions/subscriptions.ts';

/** The issue that news are about, unless it is gone. */
export async function issueInNews({ db }: Context, id: number): Promise<Issue | undefined> {
  return (await findIssuesById(db, [id])).get(id);
}

/**
 * Who subscribed to an issue, takes part in it or watches its repository, without those who left it.
 * @param options.withAssignees those who are responsible for it as well
 */
export async function followersOf(
  { db, settings }: Context,
  issue: Issue,
  { isNew, withAssignees = false }: { isNew: boolean; withAssignees?: boolean },
): Promise<Set<number>> {
  const followers = new Set([issue.author_id]);
  const participants = await db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .select('users.id')
    .distinct()
    .where('comments.issue_id', '=', issue.id)
    .where('comments.kind', 'in', [...PARTICIPATION])
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false)
    .execute();
  for (const { id } of participants) followers.add(id);
  if (withAssignees) {
    const assignees = await db.selectFrom('issue_assignees').select('user_id').where('issue_id', '=', issue.id).execute();
    for (const row of assignees) followers.add(row.user_id);
  }
  const isDraft = issue.is_pull && isDraftTitle(settings.pulls.workInProgressPrefixes, issue.title);
  // Who watches a repository hears of a draft when it is opened, and again when it is ready.
  if (isNew || !isDraft) {
    const watchers = await db
      .selectFrom('watches')
      .select('user_id')
      .where('repository_id', '=', issue.repository_id)
      .where('mode', '!=', 'ignored')
      .execute();
    for (const row of watchers) followers.add(row.user_id);
  }
  const wishes = await db.selectFrom('issue_watches').select(['user_id', 'is_watching']).where('issue_id', '=', issue.id).execute();
  for (const row of wishes) {
    if (row.is_watching) followers.add(row.user_id);
    else followers.delete(row.user_id);
  }
  return followers;
}

/** Those among these users who may hear of an issue: who can read it now. */
export async function receivers(context: Context, issue: Issue, userIds: Iterable<number>): Promise<User[]> {
  const users = await findUsersById(
    context.db,
    [...userIds].filter((id) => id > 0),
  );
  const hearing: User[] = [];
  for (const user of users.values()) {
    if (user.type !== 'individual') continue;
    if (canReadIssue(await repositoryAccess(context, issue.repository, user), issue)) hearing.push(user);
  }
  return hearing;
}

/** Who hears of being asked for a review: the user, or the members of the team; nobody of what they asked or opened themselves. */
export async function askedForReview(
  { db }: Context,
  issue: Issue,
  { reviewerId, teamId, doerId }: Events['review.requested'],
): Promise<number[]> {
  const members = teamId === undefined ? [] : await db.selectFrom('team_members').select('user_id').where('team_id', '=', teamId).execute();
  const asked = reviewerId === undefined ? members.map((row) => row.user_id) : [reviewerId];
  return asked.filter((id) => id !== doerId && id !== issue.author_id);
}
