import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { ListedVersion } from './blocks.ts';
import { readLongList } from './long-lists.ts';

/** A version with the composite key of one of its files as its state: there is one for each file. */
export interface PlacedVersion extends ListedVersion {
  readonly file_name: string;
  readonly state: string;
}

/** A query for the files of an owner's packages of a type, to be refined. The registry's own files are left out. */
export function listedFiles(db: Db, ownerId: number, type: PackageType) {
  return db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select(['package_versions.id', 'package_versions.revision', 'package_versions.created_at'])
    .select(['package_files.name as file_name', 'package_files.composite_key as state'])
    .where('package_versions.owner_id', '=', ownerId)
    .where('package_versions.type', '=', type)
    .where('package_versions.is_internal', '=', false);
}

/**
 * The files of an owner's packages of a type in places, in the order of their versions' ids.
 * @param name tells the list apart from others
 * @param refine chooses the files, by what never changes of a version and its files without a revision
 */
export async function listFilesIn<Row extends PlacedVersion>(
  context: Context,
  { ownerId, type }: { ownerId: number; type: PackageType },
  name: string,
  refine: (files: ReturnType<typeof listedFiles>) => { execute(): Promise<Row[]> },
): Promise<readonly Row[]> {
  return await readLongList(context, {
    of: { ownerId, type },
    name: `files ${name}`,
    order: (a, b) => a.id - b.id,
    read: (isRead) => refine(listedFiles(context.db, ownerId, type).where(isRead).orderBy('package_files.id')).execute(),
  });
}

/** The condition under which the composite key of a file begins with a text. */
export function isPlacedBelow(text: string) {
  return sql<SqlBool>`substr(package_files.composite_key, 1, ${sql.lit([...text].length)}) = ${text}`;
}

/** The composite keys of an owner's files of a type that begin with a text. */
export async function placesBelow(db: Db, ownerId: number, type: PackageType, text: string): Promise<string[]> {
  const files = listedFiles(db, ownerId, type).clearSelect().select('package_files.composite_key').distinct();
  return (await files.where(isPlacedBelow(text)).execute()).map(({ composite_key: place }) => place);
}

/** The composite keys of the files of a version, which determine its indexes. */
export async function placesOfVersion(db: Db, versionId: number): Promise<string[]> {
  const rows = await db.selectFrom('package_files').select('composite_key').distinct().where('version_id', '=', versionId).execute();
  return rows.map(({ composite_key: place }) => place);
}

/** The columns of files that documents show, in the order of these versions; files deleted meanwhile are left out. */
export function inPlaces<Row extends { readonly id: number; readonly file_name: string; readonly place: string }>(
  versions: readonly PlacedVersion[],
  rows: readonly Row[],
): Row[] {
  const keyOf = (id: number, ...of: string[]) => `${id} ${of.join(' ')}`;
  const found = new Map(rows.map((row) => [keyOf(row.id, row.place, row.file_name), row]));
  return versions.flatMap(({ id, state, file_name }) => found.get(keyOf(id, state, file_name)) ?? []);
}
