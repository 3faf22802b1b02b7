import { sql } from 'kysely';
import type { Db } from '../../../database/database.ts';
import type { PackageType } from '../../../database/tables/package-types.ts';
import { indexKey as alpineKey } from '../../../packages/alpine/indexes.ts';
import { indexKey as archKey } from '../../../packages/arch/indexes.ts';
import { CHANNEL, indexKey as condaKey } from '../../../packages/conda/repodata.ts';
import { indexKey as cranKey } from '../../../packages/cran/indexes.ts';
import { indexKey as rpmKey } from '../../../packages/rpm/indexes.ts';

/** Rows per statement. */
const BATCH = 1000;

/** The index that lists a file, by the composite key of the file. Other formats build a missing index when it is read. */
const KEYS: Partial<Readonly<Record<PackageType, (place: string) => string>>> = {
  alpine: (place) => alpineKey(place.split('|')[0] ?? '', place.split('|')[1] ?? ''),
  arch: (place) => archKey(place.slice(0, Math.max(0, place.lastIndexOf('|')))),
  cran: cranKey,
  debian: (place) => place.split('|', 1)[0] ?? '',
  rpm: rpmKey,
};

/** Dates packages by their first version, and marks their indexes to be built on the first read. */
export async function finishPackages(db: Db): Promise<void> {
  const first = sql<number>`coalesce((select min(created_at) from package_versions where package_id = packages.id), 0)`;
  await db.updateTable('packages').set({ created_at: first }).execute();
  const keys = [...(await placesOf(db)), ...(await channelsOf(db))];
  const distinct = new Map(keys.map((row) => [JSON.stringify(row), { ...row, wanted: 1, built: 0 }]));
  const rows = [...distinct.values()];
  for (let at = 0; at < rows.length; at += BATCH) {
    await db
      .insertInto('package_indexes')
      .values(rows.slice(at, at + BATCH))
      .execute();
  }
}

async function placesOf(db: Db) {
  const rows = await db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .select(['owner_id', 'type', 'composite_key'])
    .distinct()
    .where('type', 'in', Object.keys(KEYS) as PackageType[])
    .execute();
  return rows.map(({ owner_id, type, composite_key }) => ({ owner_id, type, key: KEYS[type]?.(composite_key) ?? '' }));
}

/** The indexes of conda: the channel is a property of the package. */
async function channelsOf(db: Db) {
  const rows = await db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('package_properties', 'package_properties.package_id', 'package_versions.package_id')
    .select(['owner_id', 'type', 'composite_key', 'package_properties.value as channel'])
    .distinct()
    .where('type', '=', 'conda')
    .where('package_properties.name', '=', CHANNEL)
    .execute();
  return rows.map(({ owner_id, type, composite_key, channel }) => ({ owner_id, type, key: condaKey(channel, composite_key) }));
}
