import { findStored, storeObject } from '../../../../lfs/objects/stored.ts';
import { BlobMismatchError } from '../../../../storage/storage.ts';
import type { Batch } from '../../batch.ts';
import { openInside } from '../../files.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Large files and their repositories. */
export const largeFiles: Step = {
  name: 'large files',
  table: 'lfs_meta_object',
  batchSize: 50,
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repository_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repository_id'))) continue;
      const objectId = await store(row, batch);
      if (objectId === undefined) continue;
      const created = row.time('created_unix');
      batch.add('lfs_links', { repository_id: row.integer('repository_id'), object_id: objectId, created_at: created, seen_at: created });
    }
  },
};

/** Stores the bytes of an object once; returns its id, or undefined, with a note, if they are missing or do not match. */
async function store(row: Row, batch: Batch): Promise<number | undefined> {
  const { settings, context, isDryRun } = batch.run;
  const oid = row.text('oid');
  const subject = `large file ${row.id} of repository ${row.integer('repository_id')}`;
  const known = await findStored(context.db, [oid]);
  if (known.has(oid)) return known.get(oid)?.id;
  const isOid = /^[0-9a-f]{64}$/.test(oid);
  const file = isOid ? await openInside(settings.storages.lfs, oid.slice(0, 2), oid.slice(2, 4), oid.slice(4)) : undefined;
  if (!file) batch.note(subject, 'its file is missing: it is left out');
  if (isDryRun) file?.stream.destroy();
  if (!file || isDryRun) return undefined;
  try {
    return (await storeObject(context, { oid, size: row.integer('size') }, file.stream)).id;
  } catch (error) {
    if (!(error instanceof BlobMismatchError)) throw error;
    batch.note(subject, `${error.message} than Gitea says: it is left out`);
    return undefined;
  }
}

/** Locked files. */
export const largeFileLocks: Step = {
  name: 'locks of large files',
  table: 'lfs_lock',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const users = await batch.existingOf('users', rows, 'owner_id');
    for (const row of rows) {
      const owner = row.reference('owner_id');
      if (!repositories.has(row.integer('repo_id'))) continue;
      const path = row.line('path', 4000);
      batch.add('lfs_locks', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        owner_id: owner !== null && users.has(owner) ? owner : null,
        path,
        lower_path: path.toLowerCase(),
        created_at: row.date('created'),
      });
    }
  },
};
