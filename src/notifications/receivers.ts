import { setImmediate } from 'node:timers/promises';
import { accessOfUsers } from '../access/access-of-users.ts';
import type { Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Events } from '../events/events.ts';
import { canReadIssue, findIssuesById, type Issue } from '../issues/find.ts';
import { isDraftTitle } from '../issues/present.ts';
import { PARTICIPATION } from '../issues/subscriptions/subscriptions.ts';

/** Users whose access is found out at once. */
const BATCH = 250;
const WATCHERS_PER_PAGE = 1000;

const participantsOf = prepared((db, issueId: number) =>
  db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .select('users.id')
    .distinct()
    .where('comments.issue_id', '=', issueId)
    .where('comments.kind', 'in', [...PARTICIPATION])
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false),
);
const watchersAfter = prepared((db, repositoryId: number, last: number) =>
  db
    .selectFrom('watches')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '>', last)
    .where('mode', '!=', 'ignored')
    .orderBy('user_id')
    .limit(WATCHERS_PER_PAGE),
);
const wishesFor = prepared((db, issueId: number) =>
  db.selectFrom('issue_watches').select(['user_id', 'is_watching']).where('issue_id', '=', issueId),
);

/** The issue of an event, unless it was deleted. */
export async function findEventIssue({ db }: Context, id: number): Promise<Issue | undefined> {
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
  for (const { id } of await participantsOf(db, issue.id)) followers.add(id);
  if (withAssignees) {
    const assignees = await db.selectFrom('issue_assignees').select('user_id').where('issue_id', '=', issue.id).execute();
    for (const row of assignees) followers.add(row.user_id);
  }
  const isDraft = issue.is_pull && isDraftTitle(settings.pulls.workInProgressPrefixes, issue.title);
  // Watchers of a repository are notified of a draft when it is opened, and again when it is ready.
  if (isNew || !isDraft) for await (const id of watchersOf(db, issue.repository_id)) followers.add(id);
  for (const row of await wishesFor(db, issue.id)) {
    if (row.is_watching) followers.add(row.user_id);
    else followers.delete(row.user_id);
  }
  return followers;
}

/** Watchers, read in pages: a repository may have any number. */
export async function* watchersOf(db: Db, repositoryId: number): AsyncGenerator<number> {
  let last = 0;
  for (;;) {
    const rows = await watchersAfter(db, repositoryId, last);
    for (const row of rows) yield row.user_id;
    if (rows.length < WATCHERS_PER_PAGE) return;
    last = rows.at(-1)?.user_id ?? last;
    await setImmediate();
  }
}

/** A user who gets a notification, with their access to its repository. */
export interface Receiver {
  readonly user: User;
  readonly access: RepositoryAccess;
}

/** The users among these who have some access to a repository, in batches: other requests run between two. */
export async function* receiversIn(
  context: Context,
  repository: Repository,
  userIds: Iterable<number>,
): AsyncGenerator<readonly Receiver[]> {
  const ids = [...new Set(userIds)].filter((id) => id > 0).sort((a, b) => a - b);
  for (let at = 0; at < ids.length; at += BATCH) {
    if (at > 0) await setImmediate();
    const found = await findUsersById(context.db, ids.slice(at, at + BATCH));
    const users = [...found.values()].filter(({ type }) => type === 'individual');
    const access = await accessOfUsers(context, repository, users);
    yield users.flatMap((user) => {
      const own = access.get(user.id);
      return own ? [{ user, access: own }] : [];
    });
  }
}

/** The users among these who can read the issue now, in batches. */
export async function* receivers(context: Context, issue: Issue, userIds: Iterable<number>): AsyncGenerator<readonly User[]> {
  for await (const batch of receiversIn(context, issue.repository, userIds)) {
    yield batch.filter(({ access }) => canReadIssue(access, issue)).map(({ user }) => user);
  }
}

/** The receivers of a review request: the user, or the members of the team, without the author and who made the request. */
export async function requestedReviewerIds(
  { db }: Context,
  issue: Issue,
  { reviewerId, teamId, actorId }: Events['review.requested'],
): Promise<number[]> {
  const members = teamId === undefined ? [] : await db.selectFrom('team_members').select('user_id').where('team_id', '=', teamId).execute();
  const requestedIds = reviewerId === undefined ? members.map((row) => row.user_id) : [reviewerId];
  return requestedIds.filter((id) => id !== actorId && id !== issue.author_id);
}
