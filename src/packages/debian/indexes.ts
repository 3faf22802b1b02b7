import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageEvent } from '../../events/events.ts';
import { storeXz } from '../archives/xz.ts';
import type { IndexFile } from '../indexes/build.ts';
import { listedFiles, placesOfVersion } from '../indexes/listed-files.ts';
import { markIndexes } from '../indexes/mark.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import { hasProperties } from '../registry/find.ts';
import { type ListedFile, writeRelease } from './release.ts';

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

/** Marks the distributions that list a version which is deleted. */
export async function markDeleted({ ownerId, versionId }: PackageEvent, context: Context): Promise<void> {
  const places = await placesOfVersion(context.db, versionId);
  const distributions = places.map((place) => place.split('|', 1)[0] ?? '');
  await markIndexes(context, ownerId, 'debian', distributions);
}

/** Builds the files of a distribution: the lists of packages of each component and architecture, and the signed release. */
export async function buildIndex(context: Context, owner: User, distribution: string): Promise<readonly IndexFile[]> {
  const rows = await packagesOf(context.db, owner, distribution);
  if (rows.length === 0) return [];
  const files: IndexFile[] = [];
  const listed: ListedFile[] = [];
  for (const [list, packages] of Map.groupBy(rows, ({ place, architecture }) => `${place.split('|')[1]}|${architecture}`)) {
    const content = Buffer.from(packages.map((found) => stanzaOf(found)).join('\n'));
    const compressed = await promisify(gzip)(content);
    const folder = list.replace('|', '/binary-');
    listed.push({ path: `${folder}/Packages`, content }, { path: `${folder}/Packages.gz`, content: compressed });
    files.push(
      { name: 'Packages', compositeKey: list, content },
      { name: 'Packages.gz', compositeKey: list, content: compressed },
      // Clients would take it rather than the smaller one if the release had it.
      { name: 'Packages.xz', compositeKey: list, content: storeXz(content) },
    );
  }
  const release = writeRelease({
    origin: context.settings.instance.name,
    distribution,
    components: distinct(rows.map(({ place }) => place.split('|')[1] ?? '')),
    architectures: distinct(rows.map(({ architecture }) => architecture)),
    files: listed,
  });
  const signer = await openPgpSigner(context, owner, 'debian');
  const content = Buffer.from(release);
  return [
    ...files,
    { name: 'Release', content },
    { name: 'Release.gpg', content: Buffer.from(await signer.signDetached(content)) },
    { name: 'InRelease', content: Buffer.from(await signer.signCleartext(release)) },
  ];
}

interface ListedPackage {
  readonly name: string;
  readonly place: string;
  readonly architecture: string;
  readonly control: string;
  readonly size: number;
  readonly md5: string;
  readonly sha1: string;
  readonly sha256: string;
  readonly sha512: string;
}

/** https://wiki.debian.org/DebianRepository/Format#A.22Packages.22_Indices */
function stanzaOf({ name, place, control, size, md5, sha1, sha256, sha512 }: ListedPackage): string {
  const file = `pool/${place.replace('|', '/')}/${name}`;
  return `${control}\nFilename: ${file}\nSize: ${size}\nMD5sum: ${md5}\nSHA1: ${sha1}\nSHA256: ${sha256}\nSHA512: ${sha512}\n`;
}

async function packagesOf(db: Db, owner: User, distribution: string): Promise<ListedPackage[]> {
  return await listedFiles(db, owner.id, 'debian')
    .innerJoin('package_properties as controls', (join) =>
      join.onRef('controls.file_id', '=', 'package_files.id').on('controls.name', '=', CONTROL),
    )
    .innerJoin('package_properties as architectures', (join) =>
      join.onRef('architectures.file_id', '=', 'package_files.id').on('architectures.name', '=', ARCHITECTURE),
    )
    .select(['package_files.name', 'package_files.composite_key as place', 'architectures.value as architecture'])
    .select(['controls.value as control', 'package_blobs.size'])
    .select(['package_blobs.md5', 'package_blobs.sha1', 'package_blobs.sha256', 'package_blobs.sha512'])
    .where(hasProperties('file', { [DISTRIBUTION]: distribution }))
    .orderBy('packages.lower_name')
    .orderBy('package_files.id')
    .execute();
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
