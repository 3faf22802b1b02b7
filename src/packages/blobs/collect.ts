import type { Selectable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { PackageUploadPartsTable } from '../../database/tables/packages.ts';
import { removeWithBytes } from '../../jobs/remove-bytes.ts';
import { uploadPartKey } from '../uploads/parts.ts';
import { blobKey } from './content.ts';
import { countBlobs, discountBlobs } from './totals.ts';
import { isUnused } from './unused.ts';

/** How many rows are deleted in one transaction. */
const BATCH = 100;

/**
 * Part of the task `cleanup_packages`: deletes contents without a file for `packages.unlinkedExpiry`, uploads without activity for as long,
 * and packages without a version since then, and counts the contents that are left. Rows are deleted before bytes, which a job deletes after
 * a crash. The doctor finds bytes that were stored without a row.
 */
export async function collectPackages(context: Context, signal: AbortSignal): Promise<void> {
  const before = now() - Math.ceil(context.settings.packages.unlinkedExpiry / 1000);
  await inBatches(signal, () => removeEmptyPackages(context, before));
  await inBatches(signal, () => removeUploads(context, before));
  await inBatches(signal, () => removeParts(context));
  await inBatches(signal, () => removeWithBytes(context, 'packages.remove-bytes', (context) => removeBlobs(context, before)));
  await countBlobs(context, before);
}

async function inBatches(signal: AbortSignal, remove: () => Promise<number>): Promise<void> {
  do signal.throwIfAborted();
  while ((await remove()) > 0);
}

async function removeBlobs({ db }: Context, before: number): Promise<string[]> {
  const found = await db
    .selectFrom('package_blobs')
    .select('id')
    .where('touched_at', '<=', before)
    .where((where) => isUnused(where))
    .orderBy('touched_at')
    .orderBy('id')
    .limit(BATCH)
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  // Locks the rows: a transaction that gives one to a file waits and then finds no row; files from before are seen by the next statement.
  await db
    .updateTable('package_blobs')
    .set((row) => ({ touched_at: row.ref('touched_at') }))
    .where('id', 'in', ids)
    .execute();
  const removed = await db
    .deleteFrom('package_blobs')
    .where('id', 'in', ids)
    .where('touched_at', '<=', before)
    .where((where) => isUnused(where))
    .returning(['id', 'size', 'blob'])
    .execute();
  await discountBlobs(db, removed);
  return removed.map(blobKey);
}

async function removeEmptyPackages(context: Context, before: number): Promise<number> {
  return await inTransaction(context, async ({ db }) => {
    const found = await db
      .selectFrom('packages')
      .select('id')
      .where('created_at', '<=', before)
      .where((where) =>
        where.not(where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id'))),
      )
      .limit(BATCH)
      .execute();
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return 0;
    // Locks the rows, as for contents.
    await db
      .updateTable('packages')
      .set((row) => ({ created_at: row.ref('created_at') }))
      .where('id', 'in', ids)
      .execute();
    const removed = await db
      .deleteFrom('packages')
      .where('id', 'in', ids)
      .where((where) =>
        where.not(where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id'))),
      )
      .returning('id')
      .execute();
    return removed.length;
  });
}

async function removeUploads({ db }: Context, before: number): Promise<number> {
  const due = db.selectFrom('package_uploads').select('id').where('touched_at', '<=', before).orderBy('touched_at').limit(BATCH);
  const removed = await db.deleteFrom('package_uploads').where('id', 'in', due).where('touched_at', '<=', before).returning('id').execute();
  return removed.length;
}

/** Bytes first: a part whose row remains is found again. */
async function removeParts({ db, storage }: Context): Promise<number> {
  const parts: Selectable<PackageUploadPartsTable>[] = await db
    .selectFrom('package_upload_parts')
    .selectAll()
    .where((where) =>
      where.not(where.exists(where.selectFrom('package_uploads').select('id').whereRef('package_uploads.id', '=', 'upload_id'))),
    )
    .orderBy('id')
    .limit(BATCH)
    .execute();
  for (const part of parts) await storage.delete(uploadPartKey(part));
  const ids = parts.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('package_upload_parts').where('id', 'in', ids).execute();
  return parts.length;
}
