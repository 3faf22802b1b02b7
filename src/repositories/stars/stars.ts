import { type Repository, withOwners } from '../../access/find-repository.ts';
import { visibleRepositories } from '../../access/repository-access.ts';
import { visibleUsers } from '../../access/user-visibility.ts';
import { isBlocked } from '../../accounts/blocks/blocked.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { forbidden } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';

/**
 * Stars a repository; does nothing if it is starred already.
 * @throws HttpError 403 for a user whom its owner has blocked
 */
export async function star(context: Context, repository: Repository, user: User): Promise<void> {
  if (await isBlocked(context.db, repository.owner_id, user)) throw forbidden('user is blocked');
  await inTransaction(context, async (context) => {
    const added = await context.db
      .insertInto('stars')
      .values({ repository_id: repository.id, user_id: user.id, created_at: now() })
      .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!added) return;
    await count(context, repository.id, user.id, 1);
    await context.events.emit(context, 'star.added', { repositoryId: repository.id, actorId: user.id });
  });
}

/** Removes a star; does nothing without one. */
export async function unstar(context: Context, repository: Repository, user: User): Promise<void> {
  await inTransaction(context, async (context) => {
    const removed = await context.db
      .deleteFrom('stars')
      .where('repository_id', '=', repository.id)
      .where('user_id', '=', user.id)
      .returning('user_id')
      .executeTakeFirst();
    if (removed) await count(context, repository.id, user.id, -1);
  });
}

/** Stars that one statement removes: with SQLite others are served between two. */
const BATCH = 500;

/** Removes all stars of a repository, in the transaction that hides or deletes it. */
export async function removeStars({ db }: Context, repositoryId: number): Promise<void> {
  for (;;) {
    const stars = await db
      .selectFrom('stars')
      .select('user_id')
      .where('repository_id', '=', repositoryId)
      .orderBy('user_id')
      .limit(BATCH)
      .execute();
    if (stars.length === 0) return;
    const users = stars.map((star) => star.user_id);
    await db
      .updateTable('users')
      .set((user) => ({ stars_count: user('stars_count', '-', 1) }))
      .where('id', 'in', users)
      .execute();
    await db.deleteFrom('stars').where('repository_id', '=', repositoryId).where('user_id', 'in', users).execute();
  }
}

async function count({ db }: Context, repositoryId: number, userId: number, by: 1 | -1): Promise<void> {
  await db
    .updateTable('repositories')
    .set((repositories) => ({ stars_count: repositories('stars_count', '+', by) }))
    .where('id', '=', repositoryId)
    .execute();
  await db
    .updateTable('users')
    .set((users) => ({ stars_count: users('stars_count', '+', by) }))
    .where('id', '=', userId)
    .execute();
}

/** Whether the user has starred the repository. */
export async function isStarred({ db }: Context, repository: Repository, user: User): Promise<boolean> {
  const row = await db
    .selectFrom('stars')
    .select('user_id')
    .where('repository_id', '=', repository.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The users who have starred a repository, in order. */
export function listStargazers({ db }: Context, repository: Repository, page: Page): Promise<User[]> {
  return db
    .selectFrom('stars')
    .innerJoin('users', 'users.id', 'stars.user_id')
    .selectAll('users')
    .where('stars.repository_id', '=', repository.id)
    .orderBy('stars.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/**
 * A user's starred repositories that the caller may see now, the oldest repository first; another user's private ones are left out. They are
 * counted, as in `starred_repos_count`, unless even their owner is hidden from the caller.
 */
export async function listStarred(context: Context, user: User, page: Page): Promise<{ repositories: Repository[]; total: number }> {
  const { db, actor, signIn } = context;
  const isOwn = actor?.id === user.id;
  const publicOnly = signIn.token?.publicOnly ?? false;
  const shown = visibleRepositories(actor, { publicOnly });
  const starred = db
    .selectFrom('stars')
    .innerJoin('repositories', 'repositories.id', 'stars.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where('stars.user_id', '=', user.id);
  const listed = starred.where(shown).$if(!isOwn, (query) => query.where('repositories.is_private', '=', false));
  const counted = isOwn || publicOnly ? listed : starred.where((where) => where.or([shown(where), visibleUsers(actor)(where)]));
  const { total } = await counted.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await listed.selectAll('repositories').orderBy('stars.repository_id').limit(page.limit).offset(page.offset).execute();
  return { repositories: await withOwners(db, rows), total: Number(total) };
}
