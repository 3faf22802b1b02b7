import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { VersionRow } from '../../database/tables/packages.ts';
import type { IsExempt } from '../protocol/format.ts';
import { lockPackage } from '../registry/lock.ts';
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
    await lockPackage(db, package_id);
    await db.deleteFrom('package_files').where('version_id', '=', id).where('created_at', '<=', before).execute();
    await db
      .deleteFrom('package_versions')
      .where('id', '=', id)
      .where((where) => where.not(where.exists(where.selectFrom('package_files').select('id').where('version_id', '=', id))))
      .execute();
  });
}

/** All digests by which indexes may name manifests, by the id of their version. */
async function digestsOf(db: Db, versions: readonly VersionRow[]): Promise<Map<number, readonly string[]>> {
  const named = versions.filter(({ lower_version }) => isDigest(lower_version));
  if (named.length === 0) return new Map();
  const blobs = await db
    .selectFrom('package_files')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .select(['package_files.version_id', 'package_blobs.sha256', 'package_blobs.sha512'])
    .where(
      'package_files.version_id',
      'in',
      named.map(({ id }) => id),
    )
    .where('package_files.lower_name', '=', MANIFEST_FILE)
    .execute();
  const stored = new Map(blobs.map((blob) => [blob.version_id, [`sha256:${blob.sha256}`, `sha512:${blob.sha512}`]]));
  return new Map(named.map(({ id, lower_version }) => [id, [lower_version, ...(stored.get(id) ?? [])]]));
}

/** What cleanup rules exempt of versions of an image: the tag `latest`, and manifests that an index of the image names which stays. */
export async function exemptManifests(versions: readonly VersionRow[], { db }: Context): Promise<IsExempt> {
  const digests = await digestsOf(db, versions);
  const all = [...digests.values()].flat();
  const [first] = versions;
  const references =
    first && all.length > 0
      ? await db
          .selectFrom('package_versions')
          .innerJoin('package_properties', 'package_properties.version_id', 'package_versions.id')
          .select(['package_versions.id', 'package_properties.value'])
          .where('package_versions.package_id', '=', first.package_id)
          .where('package_properties.name', '=', 'container.manifest.reference')
          .where('package_properties.value', 'in', all)
          .execute()
      : [];
  const byDigest = Map.groupBy(references, ({ value }) => value);
  return ({ id, lower_version }, gone) =>
    lower_version === 'latest' ||
    (digests.get(id) ?? []).some((digest) => byDigest.get(digest)?.some((index) => !gone.has(index.id)) ?? false);
}
