import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import { prepared, preparedIn } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageBlobRow, PackageFileRow, PackageRow, PackageVersionRow, VersionRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';

/** What names a package; names are found case-insensitively. */
export interface PackageName {
  readonly ownerId: number;
  readonly type: PackageType;
  readonly name: string;
  /** Of what the registry makes itself; left out for packages of users. */
  readonly isInternal?: boolean;
}

/** A file with its content. */
export interface FoundFile {
  readonly file: PackageFileRow;
  readonly blob: PackageBlobRow;
}

/** What names a file within a version. */
export interface FileName {
  readonly name: string;
  readonly compositeKey?: string;
}

/** Values of properties by name; what is found has all of them. */
export type Wanted = Readonly<Record<string, string>>;

/** The columns of a {@link VersionRow}: lists of versions do not read their metadata. */
export const VERSION_COLUMNS = [
  'package_versions.id',
  'package_versions.package_id',
  'package_versions.owner_id',
  'package_versions.type',
  'package_versions.creator_id',
  'package_versions.version',
  'package_versions.lower_version',
  'package_versions.is_internal',
  'package_versions.download_count',
  'package_versions.revision',
  'package_versions.created_at',
] as const;

const packageByName = prepared((db, ownerId: number, type: PackageType, lowerName: string, isInternal: boolean) =>
  db
    .selectFrom('packages')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('lower_name', '=', lowerName)
    .where('is_internal', '=', isInternal),
);
const fileByName = prepared((db, versionId: number, lowerName: string, compositeKey: string) =>
  db
    .selectFrom('package_files')
    .selectAll()
    .where('version_id', '=', versionId)
    .where('lower_name', '=', lowerName)
    .where('composite_key', '=', compositeKey),
);
const blobsById = preparedIn((db, ids) => db.selectFrom('package_blobs').selectAll().where('id', 'in', ids));
const versionByName = prepared((db, ownerId: number, type: PackageType, lowerName: string, isInternal: boolean, lowerVersion: string) =>
  versionsOf(db, { ownerId, type, lowerName, isInternal }).selectAll('package_versions').where('lower_version', '=', lowerVersion),
);

/** @throws PackageError 404 */
export async function findPackage(db: Db, { ownerId, type, name, isInternal = false }: PackageName): Promise<PackageRow> {
  const [found] = await packageByName(db, ownerId, type, name.toLowerCase(), isInternal);
  if (!found) throw new PackageError('no-package');
  return found;
}

/** The packages with these ids, by id. */
export async function findPackagesById(db: Db, ids: Iterable<number>): Promise<Map<number, PackageRow>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await db.selectFrom('packages').selectAll().where('id', 'in', wanted).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws PackageError 404 */
export async function findVersion(
  db: Db,
  { ownerId, type, name, isInternal = false }: PackageName,
  version: string,
): Promise<PackageVersionRow> {
  const [found] = await versionByName(db, ownerId, type, name.toLowerCase(), isInternal, version.toLowerCase());
  if (!found) throw new PackageError('no-package');
  return found;
}

/** The version with this id. */
export async function findVersionById(db: Db, id: number): Promise<PackageVersionRow | undefined> {
  return await db.selectFrom('package_versions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** All versions of a package, newest first; none for a package that does not exist. */
export async function listVersions(db: Db, named: PackageName): Promise<VersionRow[]> {
  const { name, isInternal = false, ...rest } = named;
  return await versionsOf(db, { ...rest, lowerName: name.toLowerCase(), isInternal })
    .select(VERSION_COLUMNS)
    .orderBy('package_versions.created_at', 'desc')
    .orderBy('package_versions.id', 'desc')
    .execute();
}

/**
 * A file of a version, with its content.
 * @throws PackageError 404
 */
export async function findFile(db: Db, versionId: number, { name, compositeKey = '' }: FileName): Promise<FoundFile> {
  const [file] = await fileByName(db, versionId, name.toLowerCase(), compositeKey);
  if (!file) throw new PackageError('no-file');
  const [found] = await withBlobs(db, [file]);
  if (!found) throw new PackageError('no-file');
  return found;
}

/** The files of these versions with their contents, in the order of their names. */
export async function listFiles(db: Db, versionIds: readonly number[]): Promise<FoundFile[]> {
  if (versionIds.length === 0) return [];
  const rows = await db
    .selectFrom('package_files')
    .selectAll()
    .where('version_id', 'in', [...versionIds])
    .orderBy('lower_name')
    .orderBy('id')
    .execute();
  return await withBlobs(db, rows);
}

/** The contents of files. */
export async function withBlobs(db: Db, files: readonly PackageFileRow[]): Promise<FoundFile[]> {
  const ids = files.map(({ blob_id }) => blob_id);
  const blobs = await blobsById(db, ids);
  const byId = new Map(blobs.map((blob) => [blob.id, blob]));
  return files.flatMap((file) => {
    const blob = byId.get(file.blob_id);
    return blob ? [{ file, blob }] : [];
  });
}

/** The condition under which a row has a property of each of these values. */
export function hasProperties(subject: 'package' | 'version' | 'file', wanted: Wanted): RawBuilder<SqlBool> {
  const [table, column] = SUBJECTS[subject];
  const conditions = Object.entries(wanted).map(
    ([name, value]) =>
      sql`exists (select 1 from package_properties wanted where wanted.${sql.ref(column)} = ${sql.ref(table)} and wanted.name = ${name} and wanted.value = ${value})`,
  );
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

const SUBJECTS = {
  package: ['packages.id', 'package_id'],
  version: ['package_versions.id', 'version_id'],
  file: ['package_files.id', 'file_id'],
} as const;

interface LowerName extends Required<Omit<PackageName, 'name'>> {
  readonly lowerName: string;
}

function versionsOf(db: Db, { ownerId, type, lowerName, isInternal }: LowerName) {
  return db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .where('packages.owner_id', '=', ownerId)
    .where('packages.type', '=', type)
    .where('packages.lower_name', '=', lowerName)
    .where('packages.is_internal', '=', isInternal)
    .where('package_versions.is_internal', '=', isInternal);
}
