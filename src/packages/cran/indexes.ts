import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import { joinGzip, joinPlain } from '../indexes/block-parts.ts';
import { type IndexName, retainDocuments } from '../indexes/block-store.ts';
import { eachPart, type ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { filesOfVersions, inOrder, listAllVersions, type NamedVersion, versionsAt } from '../indexes/listed-versions.ts';
import { readLongList } from '../indexes/long-lists.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { CranMetadata } from './description.ts';

/** The name of the list of an index. */
const PACKAGES = 'PACKAGES';
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

/** The keys of all indexes that may list a package: a new version of one kind replaces older ones of all kinds. */
export async function listIndexKeys(db: Db, packageId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .select('package_files.composite_key')
    .distinct()
    .where('package_versions.package_id', '=', packageId)
    .execute();
  return rows.map(({ composite_key }) => indexKey(composite_key));
}

/** Marks the indexes that list a deleted version. */
export async function markDeleted({ ownerId, packageId }: PackageEvent, context: Context): Promise<void> {
  await markIndexes(context, ownerId, 'cran', await listIndexKeys(context.db, packageId));
}

/** Builds `PACKAGES` and `PACKAGES.gz`: the last published version of each package, if it has a file of this kind. */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: 'cran', key } as const;
  const place = key === indexKey(SOURCES) ? SOURCES : key;
  const versions = await latestAt(context, index, place);
  await retainDocuments(db, index, versions.length > 0 ? [PACKAGES] : []);
  if (versions.length === 0) return [];
  const write = async (some: readonly ListedVersion[], isFirst: boolean) => {
    const stanzas = (await packagesOf(db, some, place)).map(stanzaOf);
    return `${isFirst || stanzas.length === 0 ? '' : '\n'}${stanzas.join('\n')}`;
  };
  const document = { index, name: PACKAGES, versions, write };
  return [
    { name: PACKAGES, content: Readable.from(joinPlain([eachPart(context, document)])) },
    { name: `${PACKAGES}.gz`, content: Readable.from(joinGzip([eachPart(context, document, 'deflate')])) },
  ];
}

/** The versions with a file of a place that are the last ones of their packages, in the order of names. */
async function latestAt(context: Context, { ownerId, type }: IndexName, place: string): Promise<NamedVersion[]> {
  const latest = new Map<number, number>();
  const all = await listAllVersions(context, ownerId, type, (a, b) => a.id - b.id);
  for (const { id, package_id } of all) latest.set(package_id, id);
  const found = await readLongList<NamedVersion>(context, {
    of: { ownerId, type },
    name: `at ${place}`,
    order: (a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1),
    read: (isRead) => versionsAt(context.db, ownerId, type, place).where(isRead).execute(),
  });
  return found.filter(({ id, package_id }) => latest.get(package_id) === id);
}

async function packagesOf(db: Db, versions: readonly ListedVersion[], place: string) {
  const rows = await filesOfVersions(db, versions)
    .select(['package_versions.version', 'package_versions.metadata', 'package_blobs.md5'])
    .where('package_files.composite_key', '=', place)
    .execute();
  return inOrder(versions, rows);
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
