import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import { lfsKey } from './stored.ts';

/** Objects that are removed in one transaction. */
const BATCH = 100;

/**
 * The job that removes objects that no repository has had for `lfs.unlinkedExpiry`. It enqueues itself again while there are younger ones.
 * The row is deleted before the bytes; the doctor finds bytes that a crash leaves.
 */
export async function collectObjects(_payload: unknown, context: Context): Promise<void> {
  for (;;) {
    const removed = await removeUnlinked(context);
    for (const object of removed) await context.storage.delete(lfsKey(object));
    if (removed.length === 0) break;
  }
  const left = await unlinked(context, now()).executeTakeFirst();
  if (left) await collectLater(context);
}

/** Enqueues {@link collectObjects} for when the objects that are unlinked now have expired. */
export async function collectLater(context: Context): Promise<void> {
  const delay = Math.ceil(context.settings.lfs.unlinkedExpiry / 1000);
  await context.jobs.add(context, 'lfs.collect', {}, { key: 'all', delay });
}

async function removeUnlinked(context: Context): Promise<LfsObjectRow[]> {
  const before = now() - Math.ceil(context.settings.lfs.unlinkedExpiry / 1000);
  return await inTransaction(context, async (context) => {
    const found = await unlinked(context, before).limit(BATCH).execute();
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return [];
    // Locks the rows: a transaction that links one waits and then finds no row; earlier links are seen by the next statement.
    await context.db
      .updateTable('lfs_objects')
      .set((row) => ({ touched_at: row.ref('touched_at') }))
      .where('id', 'in', ids)
      .execute();
    return await context.db
      .deleteFrom('lfs_objects')
      .where('id', 'in', ids)
      .where('touched_at', '<=', before)
      .where((where) =>
        where.not(where.exists(where.selectFrom('lfs_links').select('object_id').whereRef('object_id', '=', 'lfs_objects.id'))),
      )
      .returningAll()
      .execute();
  });
}

function unlinked({ db }: Context, before: number) {
  return db
    .selectFrom('lfs_objects')
    .select('id')
    .where('touched_at', '<=', before)
    .where((where) =>
      where.not(where.exists(where.selectFrom('lfs_links').select('object_id').whereRef('object_id', '=', 'lfs_objects.id'))),
    )
    .orderBy('touched_at')
    .orderBy('id');
}
