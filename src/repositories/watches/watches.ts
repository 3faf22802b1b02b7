import { type Repository, withOwners } from '../../access/find-repository.ts';
import { visibleRepositories } from '../../access/repository-access.ts';
import { isBlocked } from '../../accounts/blocks/blocked.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { WatchesTable } from '../../database/tables/repositories.ts';
import { forbidden } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';

/** Makes a user watch a repository; changes nothing for who watches it already. */
export async function watch(
  context: Context,
  repository: { id: number },
  userId: number,
  mode: 'normal' | 'auto' = 'normal',
): Promise<void> {
  // Most who come to watch by what they do watch already: they wait for nobody.
  if ((await watchMode(context.db, repository.id, userId)) === mode) return;
  await inTransaction(context, async ({ db }) => {
    await lock(db, repository.id);
    const before = await watchMode(db, repository.id, userId);
    // Who said not to watch is not made to by what they do.
    if (before === mode || (mode === 'auto' && before !== undefined)) return;
    await db
      .insertInto('watches')
      .values({ repository_id: repository.id, user_id: userId, mode, created_at: now() })
      .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doUpdateSet({ mode }))
      .execute();
    if (before === undefined || before === 'ignored') await count(db, repository.id, 1);
  });
}

/** Ends a watch. Who watched by themselves comes not to watch again by what they do. */
export function unwatch(context: Context, repository: { id: number }, userId: number): Promise<void> {
  return unwatchFor(context, repository, [userId]);
}

/** {@link unwatch} for several users at once. */
export async function unwatchFor(context: Context, { id }: { id: number }, userIds: readonly number[]): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    await lock(db, id);
    const ended = await db
      .deleteFrom('watches')
      .where('repository_id', '=', id)
      .where('user_id', 'in', userIds)
      .where('mode', '=', 'normal')
      .executeTakeFirst();
    const ignored = await db
      .updateTable('watches')
      .set({ mode: 'ignored' })
      .where('repository_id', '=', id)
      .where('user_id', 'in', userIds)
      .where('mode', '=', 'auto')
      .executeTakeFirst();
    const fewer = Number(ended.numDeletedRows + ignored.numUpdatedRows);
    if (fewer > 0) await count(db, id, -fewer);
  });
}

/** How a user watches a repository; undefined for not at all. */
export async function watchMode(db: Context['db'], repositoryId: number, userId: number): Promise<WatchesTable['mode'] | undefined> {
  const row = await db
    .selectFrom('watches')
    .select('mode')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.mode;
}

/** Lets one change of the watches of a repository wait for another, so that each is counted by what was there before it. */
function lock(db: Context['db'], repositoryId: number): Promise<void> {
  return count(db, repositoryId, 0);
}

async function count(db: Context['db'], repositoryId: number, by: number): Promise<void> {
  await db
    .updateTable('repositories')
    .set((repositories) => ({ watchers_count: repositories('watchers_count', '+', by) }))
    .where('id', '=', repositoryId)
    .execute();
}

/**
 * {@link watch} at the user's own request.
 * @throws HttpError 403 for who is blocked by the owner
 */
export async function startWatching(context: Context, repository: Repository, user: User): Promise<void> {
  if (await isBlocked(context.db, repository.owner_id, user)) throw forbidden('user is blocked');
  await watch(context, repository, user.id);
}

/** Who watches a repository, the first first. */
export function listWatchers({ db }: Context, repository: Repository, page: Page): Promise<User[]> {
  return db
    .selectFrom('watches')
    .innerJoin('users', 'users.id', 'watches.user_id')
    .selectAll('users')
    .where('watches.repository_id', '=', repository.id)
    .where('watches.mode', '!=', 'ignored')
    .orderBy('watches.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** What a user watches, that the caller may see now; of others only what is public. */
export async function listWatched(context: Context, user: User, page: Page): Promise<{ repositories: Repository[]; total: number }> {
  const { db, actor, signIn } = context;
  const watched = db
    .selectFrom('watches')
    .innerJoin('repositories', 'repositories.id', 'watches.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where('watches.user_id', '=', user.id)
    .where('watches.mode', '!=', 'ignored')
    .$if(actor?.id !== user.id, (query) => query.where('repositories.is_private', '=', false))
    .where(visibleRepositories(actor, { publicOnly: signIn.token?.publicOnly ?? false }));
  const { total } = await watched.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await watched.selectAll('repositories').orderBy('watches.repository_id').limit(page.limit).offset(page.offset).execute();
  return { repositories: await withOwners(db, rows), total: Number(total) };
}
