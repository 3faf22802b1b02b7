import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { Events } from '../../events/events.ts';
import { buildDelay } from './pace.ts';

const mark = prepared((db, ownerId: number, type: PackageType, key: string) =>
  db
    .insertInto('package_indexes')
    .values({ owner_id: ownerId, type, key, wanted: 1, built: 0 })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'type', 'key']).doUpdateSet((row) => ({ wanted: row('package_indexes.wanted', '+', 1) })),
    ),
);

/** What is wanted of an index, and what of that is built. */
export const markOf = prepared((db, ownerId: number, type: PackageType, key: string) =>
  db
    .selectFrom('package_indexes')
    .select(['wanted', 'built'])
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('key', '=', key),
);

/**
 * Marks indexes as outdated, as part of the transaction that changes what they list. A job builds those that the request
 * itself does not build.
 */
export async function markIndexes(context: Context, ownerId: number, type: PackageType, keys: readonly string[]): Promise<void> {
  // In the same order everywhere, so that two transactions do not deadlock.
  for (const key of [...new Set(keys)].sort()) {
    await mark(context.db, ownerId, type, key);
    const delay = buildDelay(context, { ownerId, type, key });
    await context.jobs.add(context, 'packages.index', { ownerId, type, key }, { key: `${ownerId} ${type} ${key}`, delay });
  }
}

/** Marks all indexes of a renamed account: URLs in them have the old name. */
export async function markIndexesOf({ userId }: Events['user.renamed'], context: Context): Promise<void> {
  await context.db.deleteFrom('package_blocks').where('owner_id', '=', userId).execute();
  const rows = await context.db.selectFrom('package_indexes').select(['type', 'key']).where('owner_id', '=', userId).execute();
  for (const [type, indexes] of Map.groupBy(rows, (row) => row.type)) {
    await markIndexes(
      context,
      userId,
      type,
      indexes.map(({ key }) => key),
    );
  }
}
