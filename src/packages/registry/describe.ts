import type { SelectQueryBuilder } from 'kysely';
import type { Db } from '../../database/database.ts';
import type { PackagePropertyRow, PackageRow, PackageVersionRow } from '../../database/tables/packages.ts';
import type { Tables } from '../../database/tables.ts';
import { type FoundFile, listFiles, type PackageName } from './find.ts';
import { listProperties } from './properties.ts';

/** A version with all that documents show of it. */
export interface DescribedVersion<Metadata> {
  readonly package: PackageRow;
  readonly version: PackageVersionRow;
  /** As the format gave it to `publish`. */
  readonly metadata: Metadata;
  /** In the order of their names. */
  readonly files: readonly FoundFile[];
  readonly properties: readonly PackagePropertyRow[];
}

/** Versions that are read at once. */
const BATCH = 500;

/** The packages, files and properties of these versions, in their order; one query for each. */
export async function describeVersions<Metadata>(db: Db, versions: readonly PackageVersionRow[]): Promise<DescribedVersion<Metadata>[]> {
  if (versions.length === 0) return [];
  const ids = versions.map(({ id }) => id);
  const packageIds = [...new Set(versions.map(({ package_id }) => package_id))];
  const rows = await db.selectFrom('packages').selectAll().where('id', 'in', packageIds).execute();
  const packages = new Map(rows.map((row) => [row.id, row]));
  const files = Map.groupBy(await listFiles(db, ids), ({ file }) => file.version_id);
  const properties = await listProperties(db, 'version', ids);
  return versions.flatMap((version) => {
    const row = packages.get(version.package_id);
    if (!row) return [];
    const metadata = JSON.parse(version.metadata) as Metadata;
    return [{ package: row, version, metadata, files: files.get(version.id) ?? [], properties: properties.get(version.id) ?? [] }];
  });
}

/**
 * All versions of a package in batches, so that a document of many versions is never in memory whole.
 * @param order by the letters of the versions, or the newest first
 */
export async function* eachVersion<Metadata>(
  db: Db,
  packageId: number,
  order: 'letters' | 'newest' = 'letters',
): AsyncGenerator<DescribedVersion<Metadata>[]> {
  for (let last: PackageVersionRow | undefined; ; ) {
    const rows = await (order === 'letters' ? afterLetters(db, packageId, last) : olderThan(db, packageId, last)).limit(BATCH).execute();
    if (rows.length > 0) yield await describeVersions<Metadata>(db, rows);
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}

function afterLetters(db: Db, packageId: number, last: PackageVersionRow | undefined) {
  return db
    .selectFrom('package_versions')
    .selectAll()
    .where('package_id', '=', packageId)
    .where('is_internal', '=', false)
    .where('lower_version', '>', last?.lower_version ?? '')
    .orderBy('lower_version');
}

function olderThan(db: Db, packageId: number, last: PackageVersionRow | undefined) {
  return newest(db.selectFrom('package_versions').selectAll().where('package_id', '=', packageId), last);
}

/** Those published before the last one, the newest first. */
function newest(all: SelectQueryBuilder<Tables, 'package_versions', PackageVersionRow>, last: PackageVersionRow | undefined) {
  let found = all.where('is_internal', '=', false);
  if (last) {
    const { created_at: time, id } = last;
    found = found.where((where) =>
      where.or([where('created_at', '<', time), where.and([where('created_at', '=', time), where('id', '<', id)])]),
    );
  }
  return found.orderBy('created_at', 'desc').orderBy('id', 'desc');
}

/** A package that has a version; undefined if there is none. */
export async function findPublished(db: Db, named: PackageName): Promise<PackageRow | undefined> {
  const { ownerId, type, name } = named;
  const found = await db
    .selectFrom('packages')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('lower_name', '=', name.toLowerCase())
    .where('is_internal', '=', false)
    .where((where) => where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id')))
    .executeTakeFirst();
  return found;
}
