import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import { invalid } from '../errors.ts';
import { placesOfVersion } from '../indexes/listed-files.ts';
import type { VersionMetadata } from './read.ts';
import type { Update } from './updates.ts';

/** Length limit of the metadata of all versions of a group that have updates, in characters: its index has all of them in one document. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** All updates of a group. Few versions have any: the others are not read. */
export async function updatesOf(db: Db, ownerId: number, group: string): Promise<Update[]> {
  const versions = await withUpdates(db, ownerId, group).select('package_versions.id').orderBy('package_versions.id').execute();
  const updates: Update[] = [];
  for (const { id } of versions) {
    const row = await db.selectFrom('package_versions').select('metadata').where('id', '=', id).executeTakeFirst();
    if (row) updates.push(...((JSON.parse(row.metadata) as VersionMetadata).updates ?? []));
    // One may have a megabyte.
    await nextTurn();
  }
  return updates;
}

/**
 * Checks that the updates of the groups of a version are not too many, after some were added.
 * @throws PackageError 400
 */
export async function requireFewUpdates(db: Db, ownerId: number, versionId: number): Promise<void> {
  for (const group of await placesOfVersion(db, versionId)) {
    const { length } = await withUpdates(db, ownerId, group)
      .select(sql<number | string>`coalesce(sum(length(package_versions.metadata)), 0)`.as('length'))
      .executeTakeFirstOrThrow();
    if (Number(length) > MAX_LENGTH) throw invalid(`the versions with updates have more than ${MAX_LENGTH} characters of metadata`);
  }
}

/** The conditions are those of an index. */
function withUpdates(db: Db, ownerId: number, group: string) {
  return db
    .selectFrom('package_versions')
    .where('package_versions.owner_id', '=', ownerId)
    .where(sql<SqlBool>`package_versions.type = 'rpm'`)
    .where(sql<SqlBool>`replace(package_versions.metadata, '"updates":', '') <> package_versions.metadata`)
    .where('package_versions.is_internal', '=', false)
    .where((where) =>
      where.exists(
        where
          .selectFrom('package_files')
          .select('package_files.id')
          .whereRef('package_files.version_id', '=', 'package_versions.id')
          .where('package_files.composite_key', '=', group),
      ),
    );
}
