import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { unprocessable } from '../../http/errors.ts';

/** Deletes all packages of an account that is purged. */
export async function deletePackagesOf({ userId }: Events['user.purging'], { db }: Context): Promise<void> {
  const contents = db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .select('blob_id')
    .where('package_versions.owner_id', '=', userId);
  await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', 'in', contents).execute();
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
