import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import type { LfsPointer } from '../../git/trees/lfs-pointer.ts';
import { VerifiedBytes } from '../../storage/verified.ts';

/** The prefix of the storage keys of all large files. */
export const LFS_PREFIX = 'lfs/';

/** The storage key of an object. */
export function lfsKey({ oid, blob }: Pick<LfsObjectRow, 'oid' | 'blob'>): string {
  return `${LFS_PREFIX}${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid.slice(4)}-${blob}`;
}

/** Finds stored objects by their ids, without an access check. */
export async function findStored(db: Db, oids: readonly string[]): Promise<Map<string, LfsObjectRow>> {
  if (oids.length === 0) return new Map();
  const rows = await db
    .selectFrom('lfs_objects')
    .selectAll()
    .where('oid', 'in', [...new Set(oids)])
    .execute();
  return new Map(rows.map((row) => [row.oid, row]));
}

/**
 * Stores the bytes of an object. If they are stored already, it only verifies that the caller has sent the same. `linkObjects` then adds
 * the object to a repository; without a link it expires.
 * @throws BlobMismatchError for other bytes, or the error of `content`; then nothing is stored
 */
export async function storeObject(context: Context, { oid, size }: LfsPointer, content: Readable | Uint8Array): Promise<LfsObjectRow> {
  const { db, storage } = context;
  const known = await touch(db, oid);
  if (known && (await isWhole(context, known))) {
    await check(content, { oid, size });
    return known;
  }
  // An upload restores bytes that were lost.
  const blob = known?.blob ?? randomBytes(8).toString('hex');
  await storage.put(lfsKey({ oid, blob }), content, { size, sha256: oid });
  if (known) return known;
  const stored = await db
    .insertInto('lfs_objects')
    .values({ oid, size, blob, touched_at: now() })
    .onConflict((conflict) => conflict.column('oid').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (stored) return stored;
  // Another upload of the same object was faster.
  await storage.delete(lfsKey({ oid, blob }));
  const other = await touch(db, oid);
  if (!other) throw new Error(`the object ${oid} went while it was stored`);
  return other;
}

/** Whether the bytes of an object exist. */
export async function isWhole({ storage }: Pick<Context, 'storage'>, object: LfsObjectRow): Promise<boolean> {
  return (await storage.info(lfsKey(object)))?.size === object.size;
}

/** Postpones the expiry of an object, if it is stored. */
async function touch(db: Db, oid: string): Promise<LfsObjectRow | undefined> {
  return db.updateTable('lfs_objects').set({ touched_at: now() }).where('oid', '=', oid).returningAll().executeTakeFirst();
}

async function check(content: Readable | Uint8Array, { oid, size }: LfsPointer): Promise<void> {
  const bytes = content instanceof Uint8Array ? [content] : content;
  await pipeline(bytes, new VerifiedBytes({ size, sha256: oid }), async (source) => {
    for await (const _ of source);
  });
}
