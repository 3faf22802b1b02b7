import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import type { LfsPointer } from '../../git/lfs-pointer.ts';
import { VerifiedBytes } from '../../storage/verified.ts';

/** Where the bytes of all large files are stored. */
export const LFS_PREFIX = 'lfs/';

/** Where the bytes of an object are stored. */
export function lfsKey({ oid, blob }: Pick<LfsObjectRow, 'oid' | 'blob'>): string {
  return `${LFS_PREFIX}${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid.slice(4)}-${blob}`;
}

/** The stored objects of these ids, by id; whether anybody may have them is not looked at. */
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
 * Stores the bytes of an object, or checks them if they are stored already: whoever sends them has them. No repository has the object
 * yet; that is what `linkObjects` is for, and without a link it goes after a while.
 * @throws BlobMismatchError for other bytes, and what `content` fails with; then nothing is stored
 */
export async function storeObject(context: Context, { oid, size }: LfsPointer, content: Readable | Uint8Array): Promise<LfsObjectRow> {
  const { db, storage } = context;
  const known = await touch(db, oid);
  if (known && (await isWhole(context, known))) {
    await check(content, { oid, size });
    return known;
  }
  // What a doctor would find lost is mended by whoever brings it again.
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
  // Somebody else was faster with the same one.
  await storage.delete(lfsKey({ oid, blob }));
  const other = await touch(db, oid);
  if (!other) throw new Error(`the object ${oid} went while it was stored`);
  return other;
}

/** Whether the bytes of an object are there. */
export async function isWhole({ storage }: Pick<Context, 'storage'>, object: LfsObjectRow): Promise<boolean> {
  return (await storage.info(lfsKey(object)))?.size === object.size;
}

/** Keeps an object that is there from being collected for a while. */
async function touch(db: Db, oid: string): Promise<LfsObjectRow | undefined> {
  return db.updateTable('lfs_objects').set({ touched_at: now() }).where('oid', '=', oid).returningAll().executeTakeFirst();
}

async function check(content: Readable | Uint8Array, { oid, size }: LfsPointer): Promise<void> {
  const bytes = content instanceof Uint8Array ? [content] : content;
  await pipeline(bytes, new VerifiedBytes({ size, sha256: oid }), async (source) => {
    for await (const _ of source);
  });
}
