import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { PackageUpstreamFileRow, PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { isWhole } from '../blobs/content.ts';
import { makeRoom } from './evict.ts';
import { noteUpstreamName } from './origins.ts';
import { UpstreamError } from './request.ts';

/** A document or file of an upstream. */
export interface Cached {
  readonly row: PackageUpstreamFileRow;
  /** Undefined once it is evicted, or its bytes are missing. */
  readonly blob: PackageBlobRow | undefined;
}

/** One whose content is there. */
export interface WholeCached extends Cached {
  readonly blob: PackageBlobRow;
}

/** The precision of the time of the last use, in seconds: reading must not write each time. */
const USED_PRECISION = 60 * 60;

/** The cached entry of a path; undefined if it was never fetched. */
export async function findCached(context: Context, { id }: PackageUpstreamRow, path: string): Promise<Cached | undefined> {
  const { db } = context.database;
  const row = await db
    .selectFrom('package_upstream_files')
    .selectAll()
    .where('upstream_id', '=', id)
    .where('path', '=', path)
    .executeTakeFirst();
  if (!row) return undefined;
  const blob =
    row.blob_id === null ? undefined : await db.selectFrom('package_blobs').selectAll().where('id', '=', row.blob_id).executeTakeFirst();
  return { row, blob: blob && (await isWhole(context, blob)) ? blob : undefined };
}

/** Whether the content is there. */
export function isThere(cached: Cached | undefined): cached is WholeCached {
  return cached?.blob !== undefined;
}

/** Records the use of an entry, so that it is not evicted soon. */
export async function noteUse({ database: { db } }: Context, { row }: Cached): Promise<void> {
  const time = now();
  if (row.used_at > time - USED_PRECISION) return;
  await db.updateTable('package_upstream_files').set({ used_at: time }).where('id', '=', row.id).execute();
}

/** Changes what is known of something, such as when it was last checked. */
export async function setCached(
  { database: { db } }: Context,
  { row, blob }: WholeCached,
  change: Partial<Pick<PackageUpstreamFileRow, 'checked_at' | 'retry_at'>>,
): Promise<WholeCached> {
  await db.updateTable('package_upstream_files').set(change).where('id', '=', row.id).execute();
  return { row: { ...row, ...change }, blob };
}

/** Removes a document that the upstream does not have any more. */
export async function dropCached({ database: { db } }: Context, { row }: Cached): Promise<void> {
  await db.deleteFrom('package_upstream_files').where('id', '=', row.id).execute();
}

/** What was fetched. */
export interface Fetched extends Partial<Pick<PackageUpstreamFileRow, 'sha256' | 'base_url' | 'media_type' | 'etag' | 'last_modified'>> {
  readonly path: string;
  readonly blob: PackageBlobRow;
  readonly links?: PackageBlobRow | undefined;
  /** Its compressed form. */
  readonly gzip?: PackageBlobRow | undefined;
}

/**
 * Stores fetched content, replacing an earlier one of its path, and evicts others if there is no room.
 * @param key the name of the package, of `nameKey`
 * @throws PackageError 404 if the name is not one of the upstream any more, UpstreamError if the content has expired already, or the upstream
 *   has another URL by now
 */
export async function keepFetched(context: Context, upstream: PackageUpstreamRow, key: string, fetched: Fetched): Promise<WholeCached> {
  const { path, blob, links, gzip, sha256 = '', base_url = '', media_type = '', etag = '', last_modified = '' } = fetched;
  const time = now();
  const times = { checked_at: time, used_at: time, retry_at: 0 };
  const size = blob.size + (links?.size ?? 0) + (gzip?.size ?? 0);
  const values = { blob_id: blob.id, links_blob_id: links?.id ?? null, size, sha256, base_url, media_type, etag, last_modified, ...times };
  const row = await inTransaction({ ...context, db: context.database.db }, async (context) => {
    const { db } = context;
    const current = await db.selectFrom('package_upstreams').select('url').where('id', '=', upstream.id).executeTakeFirst();
    if (current?.url !== upstream.url) throw new UpstreamError('it was replaced meanwhile');
    const name_id = await noteUpstreamName(context, upstream, key);
    // Locks the contents, so that they are not collected before the row has them.
    const ids = [...new Set([blob, links, gzip].flatMap((one) => one?.id ?? []))].sort((a, b) => a - b);
    for (const id of ids) {
      const kept = await db.updateTable('package_blobs').set({ touched_at: time }).where('id', '=', id).returning('id').executeTakeFirst();
      if (!kept) throw new UpstreamError('its content has expired');
    }
    if (gzip) await noteCompressed(db, blob, gzip);
    return await db
      .insertInto('package_upstream_files')
      .values({ upstream_id: upstream.id, name_id, path, ...values })
      .onConflict((conflict) => conflict.columns(['upstream_id', 'path']).doUpdateSet({ name_id, ...values }))
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  await makeRoom(context, size);
  return { row, blob };
}

async function noteCompressed(db: Db, { id: blob_id }: PackageBlobRow, { id: gzip_blob_id }: PackageBlobRow): Promise<void> {
  await db
    .insertInto('package_compressed_blobs')
    .values({ blob_id, gzip_blob_id })
    .onConflict((conflict) => conflict.column('blob_id').doUpdateSet({ gzip_blob_id }))
    .execute();
}
