import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { unprocessable } from '../../http/errors.ts';

/** Versions that one statement deletes: SQLite keeps the thread from others until it is done. */
const BATCH = 50;

/** Deletes all packages of an account that is purged. */
export async function deletePackagesOf({ userId }: Events['user.purging'], { db }: Context): Promise<void> {
  for (;;) {
    const versions = await db.selectFrom('package_versions').select('id').where('owner_id', '=', userId).limit(BATCH).execute();
    const ids = versions.map(({ id }) => id);
    if (ids.length === 0) break;
    const contents = db.selectFrom('package_files').select('blob_id').where('version_id', 'in', ids);
    await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', 'in', contents).execute();
    await db.deleteFrom('package_versions').where('id', 'in', ids).execute();
  }
  await db.deleteFrom('packages').where('owner_id', '=', userId).execute();
}

/**
 * Refuses to delete an account that has packages.
 * @throws HttpError 422
 */
export async function refuseOwner({ userId }: Events['user.deleting'], { db }: Context): Promise<void> {
  const version = await db
    .selectFrom('package_versions')
    .select('id')
    .where('owner_id', '=', userId)
    .where('is_internal', '=', false)
    .limit(1)
    .executeTakeFirst();
  if (version) throw unprocessable(`user still has ownership of packages [uid: ${userId}]`);
}
