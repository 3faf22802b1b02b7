import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { VersionRow } from '../../database/tables/packages.ts';
import { isDigest, UPLOADS } from './names.ts';
import { MANIFEST_FILE } from './store-manifest.ts';

/** How many versions one query reads. */
const BATCH = 100;

/** Part of the task `cleanup_packages`: removes contents that were uploaded before a time (in seconds) and are in no manifest. */
export async function forgetUploads(context: Context, before: number, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const versions = await context.db
      .selectFrom('package_versions')
      .select(['id', 'package_id'])
      .where('type', '=', 'container')
      .where('is_internal', '=', true)
      .where('lower_version', '=', UPLOADS)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const version of versions) await forgetUploadsOf(context, version, before);
    const last = versions.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function forgetUploadsOf(context: Context, { id, package_id }: { id: number; package_id: number }, before: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    // Uploads lock the package too.
    await db
      .updateTable('packages')
      .set((row) => ({ created_at: row.ref('created_at') }))
      .where('id', '=', package_id)
      .execute();
    await db.deleteFrom('package_files').where('version_id', '=', id).where('created_at', '<=', before).execute();
    await db
      .deleteFrom('package_versions')
      .where('id', '=', id)
      .where((where) => where.not(where.exists(where.selectFrom('package_files').select('id').where('version_id', '=', id))))
      .execute();
  });
}

/** All digests by which an index may name a manifest. */
async function digestsOf(db: Db, { id, lower_version }: VersionRow): Promise<string[]> {
  const blob = await db
    .selectFrom('package_files')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .select(['package_blobs.sha256', 'package_blobs.sha512'])
    .where('package_files.version_id', '=', id)
    .where('package_files.lower_name', '=', MANIFEST_FILE)
    .executeTakeFirst();
  return [lower_version, ...(blob ? [`sha256:${blob.sha256}`, `sha512:${blob.sha512}`] : [])];
}

/** What cleanup rules exempt: the tag `latest`, and manifests that an index of the image names. */
export async function isExemptManifest(version: VersionRow, { db }: Context): Promise<boolean> {
  if (version.lower_version === 'latest') return true;
  if (!isDigest(version.lower_version)) return false;
  const index = await db
    .selectFrom('package_versions')
    .innerJoin('package_properties', 'package_properties.version_id', 'package_versions.id')
    .select('package_versions.id')
    .where('package_versions.package_id', '=', version.package_id)
    .where('package_properties.name', '=', 'container.manifest.reference')
    .where('package_properties.value', 'in', await digestsOf(db, version))
    .limit(1)
    .executeTakeFirst();
  return index !== undefined;
}
