import type { Db } from '../../database/database.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { compareVersions, parseVersion } from '../versions/loose.ts';

/** Versions of one query. */
const BATCH = 200;

/** A version before all of it is read. */
export interface ListedVersion {
  readonly id: number;
  readonly version: string;
}

/** All versions of a package in the order of semantic versions, the lowest first. */
export async function listInOrder(db: Db, packageId: number): Promise<ListedVersion[]> {
  const rows = await db
    .selectFrom('package_versions')
    .select(['id', 'version'])
    .where('package_id', '=', packageId)
    .where('is_internal', '=', false)
    .orderBy('lower_version')
    .execute();
  // Read once each: a comparison of texts would read them for every pair.
  const read = rows.flatMap((row) => {
    const parsed = parseVersion(row.version);
    return parsed ? [{ row, parsed }] : [];
  });
  return read.sort((a, b) => compareVersions(a.parsed, b.parsed)).map(({ row }) => row);
}

/** Listed versions in batches, in their order, so that a long list is never in memory whole. Those that were deleted meanwhile are left out. */
export async function* readInOrder(db: Db, listed: readonly ListedVersion[]): AsyncGenerator<PackageVersionRow[]> {
  for (let at = 0; at < listed.length; at += BATCH) {
    const ids = listed.slice(at, at + BATCH).map(({ id }) => id);
    const rows = await db.selectFrom('package_versions').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield ids.flatMap((id) => byId.get(id) ?? []);
  }
}

/** One of the listed versions; undefined if it was deleted meanwhile. */
export async function readListed(db: Db, listed: ListedVersion | undefined): Promise<PackageVersionRow | undefined> {
  return listed && (await db.selectFrom('package_versions').selectAll().where('id', '=', listed.id).executeTakeFirst());
}
