import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { accessOfUsers } from '../access/access-of-users.ts';
import type { Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Events, IssueEvent } from '../events/events.ts';
import { canReadIssue, findIssuesById, type Issue } from '../issues/find.ts';
import { isDraftTitle } from '../issues/present.ts';
import { PARTICIPATION } from '../issues/subscriptions/subscriptions.ts';

/** Number of users whose access is checked at once. */
const BATCH = 250;
const WATCHERS_PER_PAGE = 1000;
/** Among so many comments it is not looked for another participant. */
const MANY = 50;

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
const subscriptionsTo = prepared((db, issueId: number) =>
  db.selectFrom('issue_watches').select(['user_id', 'is_watching']).where('issue_id', '=', issueId),
);

const anyFollower = prepared((db, repositoryId: number, issueId: number, actorId: number) =>
  db.selectNoFrom(({ exists, or, selectFrom }) => {
    const one = sql.lit(1).as('one');
    const watcher = selectFrom('watches').where('repository_id', '=', repositoryId).where('user_id', '!=', actorId);
    const author = selectFrom('issues')
      .where('id', '=', issueId)
      .where((issue) => issue.or([issue('author_id', '!=', actorId), issue('comments_count', '>', MANY)]));
    const subscriber = selectFrom('issue_watches').where('issue_id', '=', issueId).where('user_id', '!=', actorId);
    const participant = selectFrom('comments').where('issue_id', '=', issueId).where('author_id', '!=', actorId);
    return or([
      exists(watcher.where('mode', '!=', 'ignored').select(one)),
      exists(author.select(one)),
      exists(subscriber.select(one)),
      exists(participant.where('kind', 'in', [...PARTICIPATION]).select(one)),
    ]).as('has');
  }),
);

/** Whether an event may be for anybody but its actor: most issues of a repository of one's own are not. */
export async function hasFollowers({ repositoryId, issueId, actorId, ...payload }: IssueEvent, { db }: Context): Promise<boolean> {
  if ('mentions' in payload && (payload.mentions as readonly number[]).length > 0) return true;
  const [row] = await anyFollower(db, repositoryId, issueId, actorId);
  return Boolean(row?.has);
}

/** The issue of an event, unless it was deleted. */
export async function findEventIssue({ db }: Context, id: number): Promise<Issue | undefined> {
  return (await findIssuesById(db, [id])).get(id);
}

/**
 * Subscribers and participants of an issue and watchers of its repository, without users who unsubscribed.
 * @param options.withAssignees includes its assignees
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
  for (const row of await subscriptionsTo(db, issue.id)) {
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

/** The receivers of a review request: the user, or the members of the team, without the author and the requester. */
export async function requestedReviewerIds(
  { db }: Context,
  issue: Issue,
  { reviewerId, teamId, actorId }: Events['review.requested'],
): Promise<number[]> {
  const members = teamId === undefined ? [] : await db.selectFrom('team_members').select('user_id').where('team_id', '=', teamId).execute();
  const requestedIds = reviewerId === undefined ? members.map((row) => row.user_id) : [reviewerId];
  return requestedIds.filter((id) => id !== actorId && id !== issue.author_id);
}
