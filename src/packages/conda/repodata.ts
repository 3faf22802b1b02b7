import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import { joinBzip2, joinPlain, joinZstd, type Pieces } from '../indexes/block-parts.ts';
import { type BlockForm, type IndexName, retainDocuments } from '../indexes/block-store.ts';
import { eachPart } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { inPlaces, listFilesIn, type PlacedVersion } from '../indexes/listed-files.ts';
import { filesOfVersions } from '../indexes/listed-versions.ts';
import { markIndexes } from '../indexes/mark.ts';
import { hasProperties } from '../registry/find.ts';
import type { FileMetadata, VersionMetadata } from './metadata.ts';

const TYPE = 'conda';
/** The older and the newer kind of packages, which documents list separately. */
const EXTENSIONS = ['.tar.bz2', '.conda'] as const;

/** The property of a package that has its channel, which is a part of its name too; empty without one. */
export const CHANNEL = 'conda.channel';
/** The property of a package that has its name without the channel. */
export const NAME = 'conda.name';
/** The property of a file that has its platform. */
export const SUBDIR = 'conda.subdir';
/** The property of a file that has its {@link FileMetadata} as JSON. */
export const METADATA = 'conda.metadata';

/** The key of the index of a channel's platform. */
export function indexKey(channel: string, subdir: string): string {
  return `${channel}/${subdir}`;
}

/** Marks the indexes that list the files of a version which is deleted. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('package_properties', 'package_properties.package_id', 'package_versions.package_id')
    .select(['package_files.composite_key', 'package_properties.value'])
    .distinct()
    .where('package_files.version_id', '=', versionId)
    .where('package_properties.name', '=', CHANNEL)
    .execute();
  const keys = rows.map(({ composite_key: subdir, value: channel }) => indexKey(channel, subdir));
  await markIndexes(context, ownerId, TYPE, keys);
}

/** Builds `repodata.json`, plain and compressed: all files of a channel's platform. */
export async function buildIndex(context: Context, owner: User, key: string): Promise<readonly IndexFile[]> {
  const [channel, subdir] = [key.slice(0, key.lastIndexOf('/')), key.slice(key.lastIndexOf('/') + 1)];
  const index = { ownerId: owner.id, type: TYPE, key } as const;
  const place = { channel, subdir };
  const files = await listPackages(context, index, place);
  await retainDocuments(context.db, index, files.length > 0 ? EXTENSIONS : []);
  if (files.length === 0) return [];
  const write = async (some: readonly PlacedVersion[], isFirst: boolean) => await entriesOf(context.db, some, place, isFirst);
  const documents = EXTENSIONS.map((extension) => {
    const versions = files.filter(({ file_name }) => file_name.endsWith(extension));
    return { index, name: extension, versions, write };
  });
  const piecesOf = (form: BlockForm): Pieces => {
    const [old = [], conda = []] = documents.map((document) => eachPart(context, document, form));
    return [`{"info":${JSON.stringify({ subdir })},"packages":{`, old, '},"packages.conda":{', conda, '},"removed":[]}\n'];
  };
  return [
    { name: 'repodata.json', content: Readable.from(joinPlain(piecesOf('plain'))) },
    { name: 'repodata.json.bz2', content: Readable.from(joinBzip2(context, piecesOf('bzip2'))) },
    { name: 'repodata.json.zst', content: joinZstd(piecesOf('plain')) },
  ];
}

/** A platform of a channel. */
interface Place {
  readonly channel: string;
  readonly subdir: string;
}

async function listPackages(context: Context, index: IndexName, { channel, subdir }: Place): Promise<readonly PlacedVersion[]> {
  return await listFilesIn(context, index, index.key, (files) =>
    files.where('package_files.composite_key', '=', subdir).where(hasProperties('package', { [CHANNEL]: channel })),
  );
}

async function entriesOf(db: Db, versions: readonly PlacedVersion[], place: Place, isFirst: boolean): Promise<string> {
  const rows = inPlaces(versions, await packagesOf(db, versions));
  return jsonItems(
    rows.map((row) => entryOf(row, place)),
    isFirst,
  );
}

function entryOf(row: Awaited<ReturnType<typeof packagesOf>>[number], { channel, subdir }: Place): string {
  const file = JSON.parse(row.file_metadata) as FileMetadata;
  const { license, license_family } = JSON.parse(row.metadata) as VersionMetadata;
  const entry = {
    name: channel === '' ? row.name : row.name.slice(channel.length + 1),
    version: row.version,
    noarch: file.noarch ?? '',
    subdir,
    timestamp: file.timestamp ?? 0,
    build: file.build ?? '',
    build_number: file.build_number ?? 0,
    depends: file.dependencies ?? [],
    license: license ?? '',
    license_family: license_family ?? '',
    md5: row.md5,
    sha256: row.sha256,
    size: Number(row.size),
  };
  return `${JSON.stringify(row.file_name)}:${JSON.stringify(entry)}`;
}

async function packagesOf(db: Db, versions: readonly PlacedVersion[]) {
  return await filesOfVersions(db, versions)
    .innerJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', METADATA),
    )
    .select(['package_versions.version', 'package_versions.metadata', 'package_properties.value as file_metadata'])
    .select(['package_files.name as file_name', 'package_files.composite_key as place'])
    .select(['package_blobs.md5', 'package_blobs.sha256', 'package_blobs.size'])
    .execute();
}
