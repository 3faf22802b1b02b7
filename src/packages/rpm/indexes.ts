import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import type { PackageEvent } from '../../events/events.ts';
import { storeBlob } from '../blobs/store.ts';
import { compressPart, joinGzip, joinPlain, type Pieces, plainPart } from '../indexes/block-parts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { type BlockDocument, eachPart, type ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { listFilesIn, placesOfVersion } from '../indexes/listed-files.ts';
import { filesOfVersions, inOrder } from '../indexes/listed-versions.ts';
import { markIndexes } from '../indexes/mark.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import { documentsOf, type ListedPackage, writeUpdates } from './metadata.ts';
import type { FileMetadata, VersionMetadata } from './read.ts';
import { updatesOf } from './stored-updates.ts';
import { mergeUpdates } from './updates.ts';
import { element, textElement, xmlDocument } from './xml.ts';

const TYPE = 'rpm';

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

/** Marks the groups that list a deleted version. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  await markIndexes(context, ownerId, TYPE, await listIndexKeys(context.db, versionId));
}

/** Builds the metadata of a group, and the signed list of them (https://github.com/rpm-software-management/createrepo_c). */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: TYPE, key } as const;
  const group = key.slice(1);
  const listed = await listFilesIn(context, index, group, (files) => files.where('package_files.composite_key', '=', group));
  const versions = listed.filter(({ id }, at) => id !== listed[at - 1]?.id);
  if (versions.length === 0) {
    await retainDocuments(db, index, []);
    return [];
  }
  const written: Written[] = [];
  for (const { name, head, tail, write } of documentsOf(listed.length)) {
    const list: BlockDocument<ListedVersion> = {
      index,
      name,
      versions,
      write: async (some) => (await packagesOf(db, some, group)).map(write).join(''),
    };
    written.push(await writeDocument(context, name, (form) => [head, eachPart(context, list, form), tail]));
  }
  const updates = mergeUpdates(await updatesOf(db, owner.id, group));
  if (updates.length > 0) {
    const document = Buffer.from(writeUpdates(updates));
    const packed = await compressPart(context, plainPart(document), 'deflate');
    written.push(await writeDocument(context, 'updateinfo', (form) => [form === 'plain' ? document : [packed]]));
  }
  const attributes = { xmlns: 'http://linux.duke.edu/metadata/repo', 'xmlns:rpm': 'http://linux.duke.edu/metadata/rpm' };
  const content = Buffer.from(xmlDocument(element('repomd', attributes, written.map(dataElement))));
  const signer = await openPgpSigner(context, owner, TYPE);
  const signature = Buffer.from(await signer.signDetached(content));
  const files = written.map(({ type, blob }) => ({ name: `${type}.xml.gz`, content: blob }));
  return [...files, { name: 'repomd.xml', content }, { name: 'repomd.xml.asc', content: signature }];
}

/** A document that is stored. */
interface Written {
  readonly type: string;
  readonly blob: PackageBlobRow;
  /** Of what is compressed. */
  readonly size: number;
  readonly sha256: string;
}

async function writeDocument(context: Context, type: string, piecesOf: (form: 'plain' | 'deflate') => Pieces): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of joinPlain(piecesOf('plain'))) {
    hash.update(bytes);
    size += bytes.length;
  }
  const blob = await storeBlob(context, Readable.from(joinGzip(piecesOf('deflate'))), { isSha256Enough: true });
  return { type, blob, size, sha256: hash.digest('hex') };
}

function dataElement({ type, blob, size, sha256 }: Written): string {
  return element('data', { type }, [
    textElement('checksum', blob.sha256, { type: 'sha256' }),
    textElement('open-checksum', sha256, { type: 'sha256' }),
    element('location', { href: `repodata/${type}.xml.gz` }),
    textElement('timestamp', now()),
    textElement('size', blob.size),
    textElement('open-size', size),
  ]);
}

async function packagesOf(db: Db, versions: readonly ListedVersion[], group: string): Promise<ListedPackage[]> {
  const rows = await filesOfVersions(db, versions)
    .innerJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', METADATA),
    )
    .select(['package_versions.version', 'package_versions.metadata'])
    .select(['package_blobs.size', 'package_blobs.sha256', 'package_properties.value as file_metadata'])
    .where('package_files.composite_key', '=', group)
    .execute();
  return inOrder(versions, rows).map((row) => ({
    ...row,
    metadata: JSON.parse(row.metadata) as VersionMetadata,
    file: JSON.parse(row.file_metadata) as FileMetadata,
  }));
}
