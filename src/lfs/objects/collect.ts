import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { removeWithBytes } from '../../jobs/remove-bytes.ts';
import { lfsKey } from './stored.ts';

/** Objects that are removed in one transaction. */
const BATCH = 100;

/**
 * The job that removes objects that no repository has had for `lfs.unlinkedExpiry`. It enqueues itself again while there are younger ones.
 */
export async function collectObjects(_payload: unknown, context: Context): Promise<void> {
  while ((await removeWithBytes(context, 'lfs.remove-bytes', removeUnlinked)) > 0);
  const left = await unlinked(context, now()).executeTakeFirst();
  if (left) await collectLater(context);
}

/** Enqueues {@link collectObjects} for when the objects that are unlinked now have expired. */
export async function collectLater(context: Context): Promise<void> {
  const delay = Math.ceil(context.settings.lfs.unlinkedExpiry / 1000);
  await context.jobs.add(context, 'lfs.collect', {}, { key: 'all', delay });
}

/** @returns the keys of the bytes */
async function removeUnlinked(context: Context): Promise<string[]> {
  const before = now() - Math.ceil(context.settings.lfs.unlinkedExpiry / 1000);
  const found = await unlinked(context, before).limit(BATCH).execute();
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  // Locks the rows: a transaction that links one waits and then finds no row; earlier links are seen by the next statement.
  await context.db
    .updateTable('lfs_objects')
    .set((row) => ({ touched_at: row.ref('touched_at') }))
    .where('id', 'in', ids)
    .execute();
  const removed = await context.db
    .deleteFrom('lfs_objects')
    .where('id', 'in', ids)
    .where('touched_at', '<=', before)
    .where((where) =>
      where.not(where.exists(where.selectFrom('lfs_links').select('object_id').whereRef('object_id', '=', 'lfs_objects.id'))),
    )
    .returning(['oid', 'blob'])
    .execute();
  return removed.map(lfsKey);
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
