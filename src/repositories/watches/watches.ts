import { type Context, inTransaction } from '../../context.ts';
import type { WatchesTable } from '../../database/tables/repositories.ts';
import { now } from '../../http/schema.ts';

/** Makes a user watch a repository; changes nothing for who watches it already. */
export async function watch(
  context: Context,
  repository: { id: number },
  userId: number,
  mode: 'normal' | 'auto' = 'normal',
): Promise<void> {
  await inTransaction(context, async ({ db }) => {
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
export async function unwatch(context: Context, repository: { id: number }, userId: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const before = await watchMode(db, repository.id, userId);
    if (before === undefined || before === 'ignored') return;
    if (before === 'auto') {
      await db
        .updateTable('watches')
        .set({ mode: 'ignored' })
        .where('repository_id', '=', repository.id)
        .where('user_id', '=', userId)
        .execute();
    } else await db.deleteFrom('watches').where('repository_id', '=', repository.id).where('user_id', '=', userId).execute();
    await count(db, repository.id, -1);
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

async function count(db: Context['db'], repositoryId: number, by: 1 | -1): Promise<void> {
  await db
    .updateTable('repositories')
    .set((repositories) => ({ watchers_count: repositories('watchers_count', '+', by) }))
    .where('id', '=', repositoryId)
    .execute();
}
