import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import type { IndexFile } from '../indexes/build.ts';
import { listedFiles, placesOfVersion } from '../indexes/listed-files.ts';
import { markIndexes } from '../indexes/mark.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import { type ListedPackage, writeFilelists, writeOther, writePrimary, writeUpdates } from './metadata.ts';
import type { FileMetadata, VersionMetadata } from './read.ts';
import { mergeUpdates } from './updates.ts';
import { element, textElement, xmlDocument } from './xml.ts';

/** The property of a file that has its {@link FileMetadata} as JSON. */
export const METADATA = 'rpm.metadata';

/** The key of the index of a group; there is one without a name. */
export function indexKey(group: string): string {
  return `/${group}`;
}

/** The keys of the indexes that list a version. */
export async function listIndexKeys(db: Db, versionId: number): Promise<string[]> {
  return (await placesOfVersion(db, versionId)).map(indexKey);
}

/** Marks the groups that list a version which is deleted. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  await markIndexes(context, ownerId, 'rpm', await listIndexKeys(context.db, versionId));
}

/** Builds the metadata of a group, and the signed list of them (https://github.com/rpm-software-management/createrepo_c). */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const rows = await packagesOf(context.db, owner, key.slice(1));
  if (rows.length === 0) return [];
  const packages: ListedPackage[] = rows.map((row) => ({
    ...row,
    metadata: JSON.parse(row.metadata) as VersionMetadata,
    file: JSON.parse(row.file_metadata) as FileMetadata,
  }));
  const byVersion = new Map(rows.map(({ version_id }, index) => [version_id, packages[index]?.metadata.updates ?? []]));
  const updates = mergeUpdates([...byVersion.values()].flat());
  const documents = [
    ['primary', writePrimary(packages)],
    ['filelists', writeFilelists(packages)],
    ['other', writeOther(packages)],
    ...(updates.length > 0 ? [['updateinfo', writeUpdates(updates)] as const] : []),
  ] as const;
  const files: IndexFile[] = [];
  const data: string[] = [];
  for (const [type, document] of documents) {
    const plain = Buffer.from(document);
    const content = await promisify(gzip)(plain);
    files.push({ name: `${type}.xml.gz`, content });
    data.push(dataElement(type, plain, content));
  }
  const attributes = { xmlns: 'http://linux.duke.edu/metadata/repo', 'xmlns:rpm': 'http://linux.duke.edu/metadata/rpm' };
  const content = Buffer.from(xmlDocument(element('repomd', attributes, data)));
  const signer = await openPgpSigner(context, owner, 'rpm');
  const signature = Buffer.from(await signer.signDetached(content));
  return [...files, { name: 'repomd.xml', content }, { name: 'repomd.xml.asc', content: signature }];
}

function dataElement(type: string, plain: Buffer, content: Buffer): string {
  const checksum = (name: string, bytes: Buffer) => textElement(name, createHash('sha256').update(bytes).digest('hex'), { type: 'sha256' });
  return element('data', { type }, [
    checksum('checksum', content),
    checksum('open-checksum', plain),
    element('location', { href: `repodata/${type}.xml.gz` }),
    textElement('timestamp', now()),
    textElement('size', content.length),
    textElement('open-size', plain.length),
  ]);
}

async function packagesOf(db: Db, owner: User, group: string) {
  return await listedFiles(db, owner.id, 'rpm')
    .innerJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', METADATA),
    )
    .select(['packages.name', 'package_versions.id as version_id', 'package_versions.version', 'package_versions.metadata'])
    .select(['package_blobs.size', 'package_blobs.sha256', 'package_properties.value as file_metadata'])
    .where('package_files.composite_key', '=', group)
    .orderBy('package_files.id')
    .execute();
}
