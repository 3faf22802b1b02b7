import type { Db } from '../../database/database.ts';
import { prepared, preparedIn } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackagePropertyRow, PackageRow, PackageVersionRow } from '../../database/tables/packages.ts';
import { type FoundFile, listFiles, type PackageName } from './find.ts';
import { listProperties } from './properties.ts';

const versionsById = preparedIn((db, ids) => db.selectFrom('package_versions').selectAll().where('id', 'in', ids));

const published = prepared((db, ownerId: number, type: PackageType, lowerName: string) =>
  db
    .selectFrom('packages')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('lower_name', '=', lowerName)
    .where('is_internal', '=', false)
    .where((where) => where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id'))),
);

/** A version with everything that documents show of it. */
export interface DescribedVersion<Metadata> {
  readonly package: PackageRow;
  readonly version: PackageVersionRow;
  /** As the format gave it to `publish`. */
  readonly metadata: Metadata;
  /** In the order of their names. */
  readonly files: readonly FoundFile[];
  readonly properties: readonly PackagePropertyRow[];
}

/** These versions with their packages, files and properties, in their order; one query for each. Those that were deleted meanwhile are left out. */
export async function describeVersions<Metadata>(
  db: Db,
  wanted: readonly Pick<PackageVersionRow, 'id'>[],
): Promise<DescribedVersion<Metadata>[]> {
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ id }) => id);
  const found = new Map((await versionsById(db, ids)).map((row) => [row.id, row]));
  const versions = ids.flatMap((id) => found.get(id) ?? []);
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

/** A package that has a version; undefined if there is none. */
export async function findPublished(db: Db, named: PackageName): Promise<PackageRow | undefined> {
  const { ownerId, type, name } = named;
  const [found] = await published(db, ownerId, type, name.toLowerCase());
  return found;
}
