import type { Db } from '../../database/database.ts';
import type { PackageType } from '../../database/tables/package-types.ts';

/** The files of an owner's packages of a type with their contents, as a query that each index continues. What the registry makes itself is left out. */
export function listedFiles(db: Db, ownerId: number, type: PackageType) {
  return db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .where('package_versions.owner_id', '=', ownerId)
    .where('package_versions.type', '=', type)
    .where('package_versions.is_internal', '=', false);
}

/** The composite keys of the files of a version, which say in which indexes it is. */
export async function placesOfVersion(db: Db, versionId: number): Promise<string[]> {
  const rows = await db.selectFrom('package_files').select('composite_key').distinct().where('version_id', '=', versionId).execute();
  return rows.map(({ composite_key: place }) => place);
}
