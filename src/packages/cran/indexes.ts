import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import type { IndexFile } from '../indexes/build.ts';
import { markIndexes } from '../indexes/mark.ts';
import { isLatest } from '../registry/search.ts';
import type { CranMetadata } from './description.ts';

/** The composite key of files with sources. */
export const SOURCES = '';

/** The composite key of files that were built for a platform and a version of R. */
export function binariesOf(platform: string, version: string): string {
  return `${platform}|${version}`;
}

/** The key of the index that lists files of a composite key. */
export function indexKey(compositeKey: string): string {
  return compositeKey || 'src';
}

/** The keys of all indexes that may list a package: a new version of one kind takes the place of older ones of all kinds. */
export async function listIndexKeys(db: Db, of: { ownerId: number; name: string } | { packageId: number }): Promise<string[]> {
  let found = db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select('package_files.composite_key')
    .distinct();
  if ('packageId' in of) found = found.where('packages.id', '=', of.packageId);
  else {
    found = found
      .where('packages.owner_id', '=', of.ownerId)
      .where('packages.type', '=', 'cran')
      .where('packages.lower_name', '=', of.name.toLowerCase())
      .where('packages.is_internal', '=', false);
  }
  return (await found.execute()).map(({ composite_key }) => indexKey(composite_key));
}

/** Marks the indexes that list a version which is deleted. */
export async function markDeleted({ ownerId, packageId }: PackageEvent, context: Context): Promise<void> {
  await markIndexes(context, ownerId, 'cran', await listIndexKeys(context.db, { packageId }));
}

/** Builds `PACKAGES` and `PACKAGES.gz`: of each package the version that was published last, if it has a file of this kind. */
export async function buildIndex({ db }: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const rows = await db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .innerJoin('package_files', 'package_files.version_id', 'package_versions.id')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .select(['packages.name', 'package_versions.version', 'package_versions.metadata', 'package_blobs.md5'])
    .where('package_versions.owner_id', '=', owner.id)
    .where('package_versions.type', '=', 'cran')
    .where('package_versions.is_internal', '=', false)
    .where('package_files.composite_key', '=', key === indexKey(SOURCES) ? SOURCES : key)
    .where(isLatest)
    .orderBy('packages.name')
    .orderBy('package_files.id')
    .execute();
  if (rows.length === 0) return [];
  const content = Buffer.from(rows.map(stanzaOf).join('\n'));
  return [
    { name: 'PACKAGES', content },
    { name: 'PACKAGES.gz', content: await promisify(gzip)(content) },
  ];
}

function stanzaOf({ name, version, metadata, md5 }: { name: string; version: string; metadata: string; md5: string }): string {
  const { license, depends, imports, linking_to, suggests, needs_compilation } = JSON.parse(metadata) as CranMetadata;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['Package', name],
    ['Version', version],
    ['License', license],
    ['Depends', depends?.join(', ')],
    ['Imports', imports?.join(', ')],
    ['LinkingTo', linking_to?.join(', ')],
    ['Suggests', suggests?.join(', ')],
    ['NeedsCompilation', needs_compilation ? 'yes' : 'no'],
    ['MD5sum', md5],
  ];
  return fields.flatMap(([field, value]) => (value ? [`${field}: ${value}\n`] : [])).join('');
}
