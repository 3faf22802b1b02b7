import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import { tarEnd, writeTar } from '../archives/write-tar.ts';
import { openBlob } from '../blobs/content.ts';
import { storeBlob } from '../blobs/store.ts';
import { joinGzip } from '../indexes/block-parts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { eachPart } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ListFiles } from '../indexes/list-files.ts';
import { inPlaces, isPlacedBelow, listFilesIn, type PlacedVersion, placesOfVersion } from '../indexes/listed-files.ts';
import { filesOfVersions } from '../indexes/listed-versions.ts';
import { markIndexes } from '../indexes/mark.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import { byAlpmVersion } from '../versions/alpm.ts';
import type { FileMetadata, VersionMetadata } from './read.ts';

const TYPE = 'arch';
/** The end of a tar archive. */
const TAR_END = tarEnd(0);
/** The property of a file that has its repository. */
export const REPOSITORY = 'arch.repository';
/** The property of a file that has its {@link FileMetadata} as JSON. */
export const METADATA = 'arch.metadata';
/** The property of a file that has its signature, in base64. */
export const SIGNATURE = 'arch.signature';
/** The architecture of packages for all. */
export const ANY = 'any';
/** The file name of a database, whatever clients call it. */
export const DATABASE = 'packages.db';

/** The composite key of a package. */
export function placeOf(repository: string, architecture: string): string {
  return `${repository}|${architecture}`;
}

/** The architecture in a composite key. */
export function architectureOf(place: string): string {
  return place.slice(place.lastIndexOf('|') + 1);
}

/** The key of the index of a repository; there is one without a name. */
export function indexKey(repository: string): string {
  return `/${repository}`;
}

/** Marks the repositories that list a deleted version. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  const places = await placesOfVersion(context.db, versionId);
  const keys = places.map((place) => indexKey(place.slice(0, place.lastIndexOf('|'))));
  await markIndexes(context, ownerId, TYPE, keys);
}

/**
 * Builds the database of each architecture of a repository with its signature: the newest version of each package; packages for all
 * architectures are in each of them.
 */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: TYPE, key } as const;
  const listed = await listFilesIn(context, index, key, (files) =>
    files.where(isPlacedBelow(placeOf(key.slice(1), ''))).select(['packages.name', 'package_versions.version']),
  );
  const byArchitecture = Map.groupBy(listed, ({ state }) => architectureOf(state));
  await retainDocuments(db, index, [...byArchitecture.keys()]);
  if (listed.length === 0) return [];
  const signer = await openPgpSigner(context, owner, TYPE);
  const forAll = byArchitecture.get(ANY) ?? [];
  const files: IndexFile[] = [];
  const there = await ListFiles.open(context, index);
  for (const [architecture, packages] of byArchitecture) {
    const versions = newestOf(architecture === ANY ? packages : [...packages, ...forAll]);
    const write = async (some: readonly PlacedVersion[]) =>
      await writeTar(Object.fromEntries((await packagesOf(db, some)).flatMap(entriesOf)), { isOpen: true });
    const document = { index, name: architecture, versions, write };
    const made = await there.of(document, async () => {
      const parts = eachPart(context, document, 'deflate');
      const content = await storeBlob(context, Readable.from(joinGzip([parts, TAR_END])), { isSha256Enough: true });
      const signature = await storeBlob(context, await signer.signBinary(await openBlob(context, content)));
      return [
        { name: DATABASE, content },
        { name: `${DATABASE}.sig`, content: signature },
      ];
    });
    files.push(...made);
  }
  return files;
}

interface NamedFile extends PlacedVersion {
  readonly name: string;
  readonly version: string;
}

interface ListedPackage {
  readonly name: string;
  readonly version: string;
  readonly metadata: string;
  readonly file_name: string;
  readonly file_metadata: string;
  readonly signature: string;
  readonly size: number;
  readonly md5: string;
  readonly sha256: string;
}

function newestOf(packages: readonly NamedFile[]): NamedFile[] {
  const newest = new Map<string, NamedFile>();
  for (const found of packages) {
    const other = newest.get(found.name);
    if (!other || byAlpmVersion(other.version, found.version) < 0) newest.set(found.name, found);
  }
  return [...newest.values()];
}

/** https://wiki.archlinux.org/title/Pacman/Tips_and_tricks#Custom_local_repository, `be_sync.c` of libalpm */
function entriesOf(found: ListedPackage): [string, Buffer][] {
  const { description, project_url, licenses } = JSON.parse(found.metadata) as VersionMetadata;
  const file = JSON.parse(found.file_metadata) as FileMetadata;
  const folder = `${found.name}-${found.version}`;
  const fields: readonly Field[] = [
    ['FILENAME', found.file_name],
    ['MD5SUM', found.md5],
    ['SHA256SUM', found.sha256],
    ['PGPSIG', found.signature],
    ['CSIZE', String(found.size)],
    ['ISIZE', String(file.installed_size ?? 0)],
    ['NAME', found.name],
    ['BASE', file.base],
    ['ARCH', file.architecture],
    ['VERSION', found.version],
    ['DESC', description],
    ['URL', project_url],
    ['LICENSE', licenses],
    ['GROUPS', file.groups],
    ['BUILDDATE', String(file.build_date ?? 0)],
    ['PACKAGER', file.packager],
    ['PROVIDES', file.provides],
    ['REPLACES', file.replaces],
    ['CONFLICTS', file.conflicts],
    ['DEPENDS', file.depends],
    ['OPTDEPENDS', file.opt_depends],
    ['MAKEDEPENDS', file.make_depends],
    ['CHECKDEPENDS', file.check_depends],
  ];
  return [
    [`${folder}/files`, write([['FILES', file.files]])],
    [`${folder}/desc`, write(fields)],
  ];
}

type Field = readonly [string, string | readonly string[] | undefined];

function write(fields: readonly Field[]): Buffer {
  const parts = fields.map(([name, value]) => [name, [value ?? []].flat().join('\n')]);
  return Buffer.from(parts.flatMap(([name, value]) => (value ? [`%${name}%\n${value}\n\n`] : [])).join(''));
}

async function packagesOf(db: Db, versions: readonly PlacedVersion[]): Promise<ListedPackage[]> {
  const rows = await filesOfVersions(db, versions)
    .innerJoin('package_properties as descriptions', (join) =>
      join.onRef('descriptions.file_id', '=', 'package_files.id').on('descriptions.name', '=', METADATA),
    )
    .innerJoin('package_properties as signatures', (join) =>
      join.onRef('signatures.file_id', '=', 'package_files.id').on('signatures.name', '=', SIGNATURE),
    )
    .select(['package_versions.version', 'package_versions.metadata', 'package_files.name as file_name'])
    .select(['descriptions.value as file_metadata', 'signatures.value as signature', 'package_files.composite_key as place'])
    .select(['package_blobs.size', 'package_blobs.md5', 'package_blobs.sha256'])
    .execute();
  return inPlaces(versions, rows);
}
