import { createHash, createPublicKey, createSign } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import { tarEnd, tarHeader, writeTar } from '../archives/write-tar.ts';
import { storeBlob } from '../blobs/store.ts';
import { type BlockPart, joinGzip } from '../indexes/block-parts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { eachPart } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ListFiles } from '../indexes/list-files.ts';
import { inPlaces, isPlacedBelow, listFilesIn, type PlacedVersion, placesOfVersion } from '../indexes/listed-files.ts';
import { filesOfVersions } from '../indexes/listed-versions.ts';
import { markIndexes } from '../indexes/mark.ts';
import { makeRsaKeys } from '../indexes/rsa-keys.ts';
import { signingKey } from '../indexes/signing-keys.ts';
import type { FileMetadata, VersionMetadata } from './read.ts';

const TYPE = 'alpine';

/** The property of a file that has its branch, such as `v3.20`. */
export const BRANCH = 'alpine.branch';
/** The property of a file that has its repository, such as `community`. */
export const REPOSITORY = 'alpine.repository';
/** The property of a file that has its {@link FileMetadata} as JSON. */
export const METADATA = 'alpine.metadata';
/** The architecture of packages for all. */
export const NOARCH = 'noarch';

/** The composite key of a package. */
export function placeOf(branch: string, repository: string, architecture: string): string {
  return `${branch}|${repository}|${architecture}`;
}

/** The architecture in a composite key. */
export function architectureOf(place: string): string {
  return place.split('|')[2] ?? '';
}

/** The key of the index of a repository. */
export function indexKey(branch: string, repository: string): string {
  return `${branch}|${repository}`;
}

/** The owner's key, and the name that clients store its public key under. */
export async function repositoryKey(context: Context, owner: User) {
  const key = await signingKey(context, owner, 'alpine rsa', () => makeRsaKeys(owner));
  const der = createPublicKey(key.publicKey).export({ type: 'spki', format: 'der' });
  return { ...key, name: `${owner.lower_name}@${createHash('sha256').update(der).digest('hex')}.rsa.pub` };
}

/** Marks the repositories that list a deleted version. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  const places = await placesOfVersion(context.db, versionId);
  const keys = places.map((place) => place.split('|').slice(0, 2).join('|'));
  await markIndexes(context, ownerId, TYPE, keys);
}

/** Builds the signed `APKINDEX.tar.gz` of each architecture of a repository; packages for all architectures are in each of them. */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: TYPE, key } as const;
  const listed = await listFilesIn(context, index, key, (files) => files.where(isPlacedBelow(`${key}|`)));
  const byArchitecture = Map.groupBy(listed, ({ state }) => architectureOf(state));
  await retainDocuments(db, index, [...byArchitecture.keys()]);
  if (listed.length === 0) return [];
  const forAll = byArchitecture.get(NOARCH) ?? [];
  const files: IndexFile[] = [];
  const there = await ListFiles.open(context, index);
  // Its name has that of the owner, which can change.
  const { name: keyName } = await repositoryKey(context, owner);
  for (const [architecture, packages] of byArchitecture) {
    const versions = architecture === NOARCH ? packages : [...packages, ...forAll];
    const write = async (some: readonly PlacedVersion[]) =>
      (await packagesOf(db, some)).map((found) => stanzaOf(found, architecture)).join('');
    const document = { index, name: architecture, versions, write };
    const made = await there.of({ ...document, also: keyName }, async () => {
      const parts = await Array.fromAsync(eachPart(context, document, 'deflate'));
      return [
        { name: 'APKINDEX.tar.gz', content: await storeBlob(context, await signed(context, owner, parts), { isSha256Enough: true }) },
      ];
    });
    files.push(...made);
  }
  return files;
}

/** The signature and the signed data, as two concatenated archives. */
async function signed(context: Context, owner: User, parts: readonly BlockPart[]): Promise<Buffer> {
  const { privateKey, name } = await repositoryKey(context, owner);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const pieces = [await tarHeader('APKINDEX', size), parts, tarEnd(size)];
  const index = Buffer.concat(await Array.fromAsync(joinGzip(pieces)));
  const signature = createSign('sha1').update(index).sign(privateKey);
  const first = await writeTar({ [`.SIGN.RSA.${name}`]: signature }, { isOpen: true });
  return Buffer.concat([await promisify(gzip)(first), index]);
}

interface ListedPackage {
  readonly name: string;
  readonly version: string;
  readonly metadata: string;
  readonly file_metadata: string;
  readonly size: number;
}

/** https://wiki.alpinelinux.org/wiki/Apk_spec#APKINDEX_Format */
function stanzaOf({ name, version, metadata, file_metadata, size }: ListedPackage, architecture: string): string {
  const { description, project_url, license, maintainer = '' } = JSON.parse(metadata) as VersionMetadata;
  const file = JSON.parse(file_metadata) as FileMetadata;
  const always = { o: file.origin ?? '', m: maintainer, I: String(file.size ?? 0), t: String(file.build_date ?? 0) };
  const { provider_priority: priority = 0 } = file;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['C', file.checksum],
    ['P', name],
    ['V', version],
    ['A', architecture],
    ['T', description],
    ['U', project_url],
    ['L', license],
    ['S', String(size)],
    ['I', always.I],
    ['o', always.o],
    ['m', always.m],
    ['t', always.t],
    ['c', file.commit_hash],
    ['D', file.dependencies?.join(' ')],
    ['p', file.provides?.join(' ')],
    ['i', file.install_if],
    ['k', priority > 0 ? String(priority) : undefined],
  ];
  const lines = fields.flatMap(([letter, value]) => (value || letter in always ? [`${letter}:${value}\n`] : []));
  return `${lines.join('')}\n`;
}

async function packagesOf(db: Db, versions: readonly PlacedVersion[]): Promise<ListedPackage[]> {
  const rows = await filesOfVersions(db, versions)
    .innerJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', METADATA),
    )
    .select(['package_versions.version', 'package_versions.metadata', 'package_blobs.size'])
    .select(['package_properties.value as file_metadata', 'package_files.name as file_name', 'package_files.composite_key as place'])
    .execute();
  return inPlaces(versions, rows);
}
