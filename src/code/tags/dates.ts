import type { Db } from '../../database/database.ts';
import { tagRef } from '../../git/refs/ref-names.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';

const TAGS = tagRef('');
/** Number of names in one query. */
const BATCH = 500;

/** Records when a tag was created other than by a push: this counts until the tag moves, instead of the date of its commit. */
export async function keepTagDate(db: Db, repositoryId: number, name: string, madeAt: number): Promise<void> {
  await db
    .insertInto('tag_dates')
    .values({ repository_id: repositoryId, name, made_at: madeAt })
    .onConflict((conflict) => conflict.columns(['repository_id', 'name']).doUpdateSet({ made_at: madeAt }))
    .execute();
}

/** The date recorded by {@link keepTagDate}. */
export async function findTagDate(db: Db, repositoryId: number, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('tag_dates')
    .select('made_at')
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.made_at;
}

/** Within the transaction of a push: removes the dates of tags that move or are deleted. New ones have none yet. */
export async function forgetTagDates(
  { repositoryId, updates }: { repositoryId: number; updates: readonly RefUpdate[] },
  { db }: { readonly db: Db },
): Promise<void> {
  const moved = updates.filter(({ ref, oldId }) => ref.startsWith(TAGS) && !/^0+$/.test(oldId)).map(({ ref }) => ref.slice(TAGS.length));
  for (let at = 0; at < moved.length; at += BATCH) {
    const names = moved.slice(at, at + BATCH);
    await db.deleteFrom('tag_dates').where('repository_id', '=', repositoryId).where('name', 'in', names).execute();
  }
}
