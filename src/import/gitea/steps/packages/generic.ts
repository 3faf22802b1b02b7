import { storeBlob } from '../../../../packages/blobs/store.ts';
import { PackageError } from '../../../../packages/errors.ts';
import type { Batch } from '../../batch.ts';
import { openInside } from '../../files.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** The only type whose versions have nothing to them but files. What Gitea notes of the others has another form than ours. */
const TYPE = 'generic';

/** Generic packages. */
export const packages: Step = {
  name: 'packages',
  table: 'package',
  run: async (rows, batch) => {
    const owners = await batch.existingOf('users', rows, 'owner_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      const name = row.line('name');
      const subject = `package ${row.id} (${row.line('type', 20)} ${name})`;
      if (!owners.has(row.integer('owner_id'))) continue;
      if (row.text('type') !== TYPE) {
        batch.note(subject, 'packages of this type are not imported: publish it again');
        continue;
      }
      batch.add('packages', {
        id: row.id,
        owner_id: row.integer('owner_id'),
        repository_id: repositories.has(row.integer('repo_id')) ? row.integer('repo_id') : null,
        type: TYPE,
        name,
        lower_name: name.toLowerCase(),
        is_internal: row.flag('is_internal'),
        created_at: await createdAt(row, batch),
      });
    }
  },
};

/** A package is as old as its oldest version. */
async function createdAt(row: Row, batch: Batch): Promise<number> {
  const times = (await batch.source.rowsWith('package_version', 'package_id', [row.id])).map((version) => version.time('created_unix'));
  return times.reduce((oldest, time) => Math.min(oldest, time), times[0] ?? 0);
}

/** Versions of generic packages. */
export const packageVersions: Step = {
  name: 'versions of packages',
  table: 'package_version',
  run: async (rows, batch) => {
    const owners = new Map((await existing(batch, 'packages', rows, 'package_id')).map(({ id, owner_id }) => [id, owner_id]));
    const users = await batch.existingOf('users', rows, 'creator_id');
    for (const row of rows) {
      const owner = owners.get(row.integer('package_id'));
      if (owner === undefined) continue;
      const version = row.line('version');
      batch.add('package_versions', {
        id: row.id,
        package_id: row.integer('package_id'),
        owner_id: owner,
        type: TYPE,
        creator_id: users.has(row.integer('creator_id')) ? row.integer('creator_id') : null,
        version,
        lower_version: version.toLowerCase(),
        is_internal: row.flag('is_internal'),
        download_count: Math.max(0, row.integer('download_count')),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Files of generic packages. */
export const packageFiles: Step = {
  name: 'files of packages',
  table: 'package_file',
  batchSize: 50,
  run: async (rows, batch) => {
    const versions = new Set((await existing(batch, 'package_versions', rows, 'version_id')).map(({ id }) => id));
    const blobIds = rows.map((row) => row.integer('blob_id'));
    const blobs = new Map((await batch.source.rowsWith('package_blob', 'id', blobIds)).map((blob) => [blob.id, blob]));
    for (const row of rows) {
      const blob = blobs.get(row.integer('blob_id'));
      if (!versions.has(row.integer('version_id'))) continue;
      const blobId = blob && (await store(row, blob, batch));
      if (blobId === undefined) continue;
      const name = row.line('name');
      batch.add('package_files', {
        id: row.id,
        version_id: row.integer('version_id'),
        blob_id: blobId,
        name,
        lower_name: name.toLowerCase(),
        is_lead: row.flag('is_lead'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Stores the bytes of a file once; returns their id, or undefined, with a note, where they are not there or others. */
async function store(row: Row, blob: Row, batch: Batch): Promise<number | undefined> {
  const { settings, context, isDryRun } = batch.run;
  const sha256 = blob.text('hash_sha256');
  const subject = `file ${row.id} (${row.line('name', 100)}) of a package`;
  const isDigest = /^[0-9a-f]{64}$/.test(sha256);
  const file = isDigest ? await openInside(settings.storages.packages, sha256.slice(0, 2), sha256.slice(2, 4), sha256) : undefined;
  if (!file) batch.note(subject, 'it is missing: it is left out');
  if (isDryRun) file?.stream.destroy();
  if (!file || isDryRun) return undefined;
  try {
    return (await storeBlob(context, file.stream, { sha256 })).id;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    batch.note(subject, 'it is another than Gitea says: it is left out');
    return undefined;
  }
}

/** The rows of a table of ours that a column refers to. */
function existing(batch: Batch, table: 'packages' | 'package_versions', rows: readonly Row[], column: string) {
  const ids = [...new Set(rows.map((row) => row.integer(column)))];
  return batch.context.db.selectFrom(table).select(['id', 'owner_id']).where('id', 'in', ids).execute();
}
