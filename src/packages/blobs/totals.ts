import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { PackageBlobRow, PackageBlobTotalsTable } from '../../database/tables/packages.ts';
import { isUnused } from './unused.ts';

/** How many rows one query adds up, so that none takes long. */
const SLICE = 5_000;

/** The size of all package contents in bytes. */
export interface BlobTotals {
  /** Used by packages or upstreams. */
  readonly used: number;
  /** Deleted by the next cleanup. */
  readonly unused: number;
}

const NOTHING: PackageBlobTotalsTable = { last_id: 0, touched_at: 0, size: 0 };

/**
 * The size of all contents: what the last cleanup has counted, and what came since. Only contents that were touched since can be unused, but
 * for those of upstreams: what is evicted between two cleanups counts as used until the next.
 */
export async function blobTotals(db: Db): Promise<BlobTotals> {
  const counted = await countedBlobs(db);
  const size = counted.size + (await sizeAfter(db, counted.last_id));
  const unused = await unusedSince(db, counted.touched_at);
  return { used: size - unused, unused };
}

/**
 * Counts all contents at the end of a cleanup.
 * @param before the time until which no content is unused now
 */
export async function countBlobs(context: Context, before: number): Promise<void> {
  const { db } = context;
  // Those that came later are left to the next time: one with a lower id may not be committed yet.
  const newest = await db
    .selectFrom('package_blobs')
    .select('id')
    .where('touched_at', '<=', before)
    .orderBy('touched_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const lastId = newest?.id ?? 0;
  const size = await sizeAfter(db, 0, lastId);
  await inTransaction(context, async ({ db }) => {
    await db.deleteFrom('package_blob_totals').execute();
    await db.insertInto('package_blob_totals').values({ last_id: lastId, touched_at: before, size }).execute();
  });
}

/** Takes deleted contents off what was counted, in the transaction that deletes them. */
export async function discountBlobs(db: Db, deleted: readonly Pick<PackageBlobRow, 'id' | 'size'>[]): Promise<void> {
  const { last_id } = await countedBlobs(db);
  const size = deleted.reduce((sum, blob) => sum + (blob.id <= last_id ? blob.size : 0), 0);
  if (size > 0) {
    await db
      .updateTable('package_blob_totals')
      .set((row) => ({ size: row('size', '-', size) }))
      .execute();
  }
}

async function countedBlobs(db: Db): Promise<PackageBlobTotalsTable> {
  const row = await db.selectFrom('package_blob_totals').selectAll().executeTakeFirst();
  return row ? { ...row, size: Number(row.size) } : NOTHING;
}

/** The bytes of the contents whose ids are higher than one, and not higher than the other. */
async function sizeAfter(db: Db, first: number, last = Number.MAX_SAFE_INTEGER): Promise<number> {
  let size = 0;
  for (let after = first; ; ) {
    const slice = await db
      .selectFrom((from) =>
        from
          .selectFrom('package_blobs')
          .select(['id', 'size'])
          .where('id', '>', after)
          .where('id', '<=', last)
          .orderBy('id')
          .limit(SLICE)
          .as('slice'),
      )
      .select(({ fn }) => [fn.sum<number | string | null>('size').as('size'), fn.max<number | null>('id').as('last')])
      .executeTakeFirstOrThrow();
    if (slice.last === null) return size;
    size += Number(slice.size);
    after = slice.last;
  }
}

/** The bytes of unused contents that were touched at this time or later. */
async function unusedSince(db: Db, since: number): Promise<number> {
  let size = 0;
  for (let after = { touched_at: since, id: 0 }; ; ) {
    const rows = await db
      .selectFrom('package_blobs')
      .select(['id', 'touched_at', 'size', (where) => isUnused(where).as('is_unused')])
      .where(({ eb, refTuple, tuple }) => eb(refTuple('touched_at', 'id'), '>', tuple(after.touched_at, after.id)))
      .orderBy('touched_at')
      .orderBy('id')
      .limit(SLICE)
      .execute();
    for (const row of rows) if (row.is_unused) size += row.size;
    const last = rows.at(-1);
    if (!last || rows.length < SLICE) return size;
    after = last;
  }
}
