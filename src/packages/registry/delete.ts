import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { PackageFileRow, VersionRow } from '../../database/tables/packages.ts';
import { markIndexes } from '../indexes/mark.ts';
import { lockPackage } from './lock.ts';
import { reviseVersion } from './revise.ts';

/** The consequences of a deletion. */
export interface Deletion {
  /** Keys of the format's indexes that have to be rebuilt. */
  readonly indexes?: readonly string[];
}

/** Deletes a version with its files. The package itself is deleted later, by the cleanup, if it gets no other version. */
export async function deleteVersion(context: Context, version: VersionRow, { indexes = [] }: Deletion = {}): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    const { id, package_id: packageId, owner_id: ownerId, type } = version;
    const subject = { ownerId, type, packageId, versionId: id, actorId: context.actor?.id ?? 0 };
    await lockPackage(db, packageId);
    if (!version.is_internal) await context.events.emit(context, 'package.deleting', subject);
    const row = await db.selectFrom('packages').selectAll().where('id', '=', packageId).executeTakeFirst();
    await touchBlobsOf(context, id);
    const gone = await db.deleteFrom('package_versions').where('id', '=', id).returning('id').executeTakeFirst();
    await markIndexes(context, ownerId, type, indexes);
    if (!row || !gone || version.is_internal) return;
    const { version: name, creator_id: creatorId, created_at: createdAt } = version;
    const what = { name: row.name, version: name, repositoryId: row.repository_id, creatorId, createdAt };
    await context.events.emit(context, 'package.deleted', { ...subject, package: what });
  });
}

/** How files are deleted. */
export interface FileDeletion extends Deletion {
  /** Leaves the version without files when the last ones are deleted; otherwise that goes too. */
  readonly keepsVersion?: boolean;
}

/** Files that are deleted by one statement. */
const FILES_AT_ONCE = 500;

/** Deletes a file of a version. */
export async function deleteFile(context: Context, version: VersionRow, file: PackageFileRow, deletion: FileDeletion = {}): Promise<void> {
  await deleteFiles(context, version, [file.id], deletion);
}

/** Deletes files of a version. */
export async function deleteFiles(
  context: Context,
  version: VersionRow,
  ids: readonly number[],
  deletion: FileDeletion = {},
): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockPackage(db, version.package_id);
    for (let at = 0; at < ids.length; at += FILES_AT_ONCE) {
      const some = ids.slice(at, at + FILES_AT_ONCE);
      const contents = db.selectFrom('package_files').select('blob_id').where('id', 'in', some);
      await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', 'in', contents).execute();
      await db.deleteFrom('package_files').where('id', 'in', some).execute();
    }
    await reviseVersion(db, version.id);
    await markIndexes(context, version.owner_id, version.type, deletion.indexes ?? []);
    if (deletion.keepsVersion) return;
    const left = await db.selectFrom('package_files').select('id').where('version_id', '=', version.id).limit(1).executeTakeFirst();
    if (!left) await deleteVersion(context, version);
  });
}

async function touchBlobsOf({ db }: Context, versionId: number): Promise<void> {
  const contents = db.selectFrom('package_files').select('blob_id').where('version_id', '=', versionId);
  await db.updateTable('package_blobs').set({ touched_at: now() }).where('id', 'in', contents).execute();
}
