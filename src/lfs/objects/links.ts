import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';

/** Objects that are linked or unlinked in one statement. */
const BATCH = 500;

/** Finds those of these objects that a repository has, by their ids. */
export async function findLinked(db: Db, repositoryId: number, oids: readonly string[]): Promise<Map<string, LfsObjectRow>> {
  if (oids.length === 0) return new Map();
  const rows = await db
    .selectFrom('lfs_objects')
    .innerJoin('lfs_links', 'lfs_links.object_id', 'lfs_objects.id')
    .selectAll('lfs_objects')
    .where('lfs_links.repository_id', '=', repositoryId)
    .where('lfs_objects.oid', 'in', [...new Set(oids)])
    .execute();
  return new Map(rows.map((row) => [row.oid, row]));
}

/**
 * Links stored objects to a repository, and adds their sizes to its own. The calling code has checked that the user has sent the bytes or
 * can read them in another repository.
 * @returns the ids of the linked rows, without objects that were deleted in the meantime
 */
export async function linkObjects(context: Context, repositoryId: number, objectIds: readonly number[]): Promise<Set<number>> {
  return await inTransaction(context, async (context) => {
    const linked = new Set<number>();
    let bytes = 0;
    for (let at = 0; at < objectIds.length; at += BATCH) {
      const part = objectIds.slice(at, at + BATCH);
      // Locks the rows first, so that no object is deleted before its link exists.
      const there = await touch(context.db, part);
      if (there.length === 0) continue;
      const time = now();
      const added = await context.db
        .insertInto('lfs_links')
        .values(there.map(({ id }) => ({ repository_id: repositoryId, object_id: id, created_at: time, seen_at: time })))
        .onConflict((conflict) => conflict.columns(['repository_id', 'object_id']).doNothing())
        .returning('object_id')
        .execute();
      const fresh = new Set(added.map(({ object_id }) => object_id));
      for (const { id, size } of there) {
        linked.add(id);
        if (fresh.has(id)) bytes += size;
      }
    }
    await countBytes(context.db, repositoryId, bytes);
    return linked;
  });
}

/** Unlinks objects from a repository. Objects without a link expire. */
export async function unlinkObjects(context: Context, repositoryId: number, objectIds: readonly number[]): Promise<void> {
  await inTransaction(context, async (context) => {
    let bytes = 0;
    for (let at = 0; at < objectIds.length; at += BATCH) {
      const part = objectIds.slice(at, at + BATCH);
      const sizes = new Map((await touch(context.db, part)).map(({ id, size }) => [id, size]));
      const removed = await context.db
        .deleteFrom('lfs_links')
        .where('repository_id', '=', repositoryId)
        .where('object_id', 'in', part)
        .returning('object_id')
        .execute();
      for (const { object_id } of removed) bytes += sizes.get(object_id) ?? 0;
    }
    await countBytes(context.db, repositoryId, -bytes);
  });
}

/** Links all objects of one repository to a new one. */
export async function copyLinks(context: Context, fromId: number, toId: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const time = now();
    await db
      .insertInto('lfs_links')
      .columns(['repository_id', 'object_id', 'created_at', 'seen_at'])
      .expression((from) =>
        from
          .selectFrom('lfs_links')
          .select((select) => [
            select.val(toId).$castTo<number>().as('repository_id'),
            'object_id',
            select.val(time).$castTo<number>().as('created_at'),
            select.val(time).$castTo<number>().as('seen_at'),
          ])
          .where('repository_id', '=', fromId),
      )
      .execute();
    const { bytes } = await db
      .selectFrom('lfs_links')
      .innerJoin('lfs_objects', 'lfs_objects.id', 'lfs_links.object_id')
      .select(({ fn }) => fn.sum('lfs_objects.size').as('bytes'))
      .where('lfs_links.repository_id', '=', toId)
      .executeTakeFirstOrThrow();
    await countBytes(db, toId, Number(bytes ?? 0));
  });
}

async function touch(db: Db, ids: readonly number[]): Promise<Pick<LfsObjectRow, 'id' | 'size'>[]> {
  if (ids.length === 0) return [];
  return await db
    .updateTable('lfs_objects')
    .set({ touched_at: now() })
    .where('id', 'in', [...ids])
    .returning(['id', 'size'])
    .execute();
}

async function countBytes(db: Db, repositoryId: number, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await db
    .updateTable('repositories')
    .set((row) => ({ size: row('size', '+', bytes), lfs_size: row('lfs_size', '+', bytes) }))
    .where('id', '=', repositoryId)
    .execute();
}
