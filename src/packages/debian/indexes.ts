import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import { storeBlob } from '../blobs/store.ts';
import { joinGzip, joinPlain } from '../indexes/block-parts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { eachPart } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ListFiles } from '../indexes/list-files.ts';
import { inPlaces, isPlacedBelow, listedFiles, listFilesIn, type PlacedVersion, placesOfVersion } from '../indexes/listed-files.ts';
import { filesOfVersions } from '../indexes/listed-versions.ts';
import { markIndexes } from '../indexes/mark.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import { type ListedFile, writeRelease } from './release.ts';

const TYPE = 'debian';

/** The property of a file that has its control file. */
export const CONTROL = 'debian.control';
/** The property of a file that has its architecture. */
export const ARCHITECTURE = 'debian.architecture';

/** The property of a file that has its distribution. */
export const DISTRIBUTION = 'debian.distribution';

/** The composite key of a package: in one distribution it may be another than in the next. */
export function placeOf(distribution: string, component: string): string {
  return `${distribution}|${component}`;
}

/** The names of the lists of a distribution. */
export async function listNames(db: Db, ownerId: number, distribution: string): Promise<string[]> {
  const rows = await listedFiles(db, ownerId, TYPE)
    .clearSelect()
    .innerJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', ARCHITECTURE),
    )
    .select(['package_files.composite_key as place', 'package_properties.value'])
    .distinct()
    .where(isPlacedBelow(placeOf(distribution, '')))
    .execute();
  return rows.map(({ place, value }) => `${place.split('|')[1]}|${value}`);
}

/** Marks the distributions that list a deleted version. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  const places = await placesOfVersion(context.db, versionId);
  const distributions = places.map((place) => place.split('|', 1)[0] ?? '');
  await markIndexes(context, ownerId, TYPE, distributions);
}

/** Builds the files of a distribution: the lists of packages of each component and architecture, and the signed release. */
export async function buildIndex(context: Context, owner: User, distribution: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: TYPE, key: distribution } as const;
  const listed = await listFilesIn(context, index, distribution, (files) =>
    files.where(isPlacedBelow(placeOf(distribution, ''))).select('packages.lower_name'),
  );
  const packages = listed.toSorted((a, b) => (a.lower_name === b.lower_name ? 0 : a.lower_name < b.lower_name ? -1 : 1));
  const lists = Map.groupBy(packages, ({ state, file_name }) => `${state.split('|')[1]}|${architectureOf(file_name)}`);
  await retainDocuments(db, index, [...lists.keys()]);
  if (lists.size === 0) return [];
  const files: IndexFile[] = [];
  const inRelease: ListedFile[] = [];
  const there = await ListFiles.open(context, index);
  for (const [list, versions] of lists) {
    const write = async (some: readonly PlacedVersion[], isFirst: boolean) => await stanzasOf(db, some, isFirst);
    const document = { index, name: list, versions, write };
    const ofList = await there.of(document, async () => [
      { name: 'Packages', content: await storeBlob(context, Readable.from(joinPlain([eachPart(context, document)]))) },
      { name: 'Packages.gz', content: await storeBlob(context, Readable.from(joinGzip([eachPart(context, document, 'deflate')]))) },
    ]);
    const folder = list.replace('|', '/binary-');
    inRelease.push(...ofList.map(({ name, content }) => ({ path: `${folder}/${name}`, content })));
    files.push(...ofList);
  }
  const release = writeRelease({
    origin: context.settings.instance.name,
    distribution,
    components: distinct([...lists.keys()].map((list) => list.split('|')[0] ?? '')),
    architectures: distinct([...lists.keys()].map((list) => list.split('|')[1] ?? '')),
    files: inRelease,
  });
  const signer = await openPgpSigner(context, owner, TYPE);
  const content = Buffer.from(release);
  return [
    ...files,
    { name: 'Release', content },
    { name: 'Release.gpg', content: Buffer.from(await signer.signDetached(content)) },
    { name: 'InRelease', content: Buffer.from(await signer.signCleartext(release)) },
  ];
}

interface ListedPackage {
  readonly file_name: string;
  readonly place: string;
  readonly control: string;
  readonly size: number;
  readonly md5: string;
  readonly sha1: string;
  readonly sha256: string;
  readonly sha512: string;
}

/** https://wiki.debian.org/DebianRepository/Format#A.22Packages.22_Indices */
function stanzaOf({ file_name, place, control, size, md5, sha1, sha256, sha512 }: ListedPackage): string {
  const file = `pool/${place.replace('|', '/')}/${file_name}`;
  return `${control}\nFilename: ${file}\nSize: ${size}\nMD5sum: ${md5}\nSHA1: ${sha1}\nSHA256: ${sha256}\nSHA512: ${sha512}\n`;
}

/** The last part of the name of a file, which `readControl` allows no underscore in. */
function architectureOf(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('_') + 1, -'.deb'.length);
}

async function stanzasOf(db: Db, versions: readonly PlacedVersion[], isFirst: boolean): Promise<string> {
  const rows = await filesOfVersions(db, versions)
    .innerJoin('package_properties as controls', (join) =>
      join.onRef('controls.file_id', '=', 'package_files.id').on('controls.name', '=', CONTROL),
    )
    .select(['package_files.name as file_name', 'package_files.composite_key as place'])
    .select(['controls.value as control', 'package_blobs.size'])
    .select(['package_blobs.md5', 'package_blobs.sha1', 'package_blobs.sha256', 'package_blobs.sha512'])
    .execute();
  const stanzas = inPlaces(versions, rows).map(stanzaOf);
  return `${isFirst || stanzas.length === 0 ? '' : '\n'}${stanzas.join('\n')}`;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
