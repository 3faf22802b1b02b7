import { createHash } from 'node:crypto';
import { artifactKey } from '../../../../actions/artifacts/upload.ts';
import type { Batch } from '../../batch.ts';
import { openInside } from '../../files.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { ownersOf } from './columns.ts';

/** Shown states by Gitea's number (models/actions/artifact.go). Artifacts in other states were never complete, or are deleted. */
const STATUSES: Readonly<Record<number, 'confirmed' | 'expired'>> = { 2: 'confirmed', 4: 'expired' };

/** Artifacts of runs. */
export const actionArtifacts: Step = {
  name: 'artifacts of automation',
  table: 'action_artifact',
  batchSize: 50,
  run: async (rows, batch) => {
    const runs = await batch.existingOf('action_runs', rows, 'run_id');
    const owners = await ownersOf(rows, batch);
    for (const row of rows) {
      const [ownerId, status] = [owners.get(row.integer('repo_id')), STATUSES[row.integer('status')]];
      if (ownerId === undefined || status === undefined || !runs.has(row.integer('run_id'))) continue;
      const encoding = row.line('content_encoding');
      if (!encoding.includes('/')) {
        batch.note(subjectOf(row), 'it was uploaded by version 3 of the protocol, which is not served: it is left out');
        continue;
      }
      const file = status === 'confirmed' ? await copyFile(row, batch) : { key: '', size: row.integer('file_size') };
      if (!file) continue;
      batch.add('action_artifacts', {
        id: row.id,
        run_id: row.integer('run_id'),
        repository_id: row.integer('repo_id'),
        owner_id: ownerId,
        runner_id: row.integer('runner_id'),
        commit_sha: row.line('commit_sha', 64),
        name: row.line('artifact_name'),
        path: row.line('artifact_path'),
        storage_key: file.key,
        size: file.size,
        compressed_size: file.size,
        encoding,
        status,
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
        expires_at: row.timeOrNull('expired_unix'),
      });
    }
  },
};

/** Copies the bytes of an artifact; undefined, with a note, if there are none. */
async function copyFile(row: Row, batch: Batch): Promise<{ key: string; size: number } | undefined> {
  const { settings, context, isDryRun } = batch.run;
  const path = row.line('storage_path', 1000);
  const file = await openInside(settings.storages.actionsArtifacts, ...path.split('/'));
  if (!file) batch.note(subjectOf(row), 'its file is missing: it is left out');
  if (isDryRun) file?.stream.destroy();
  if (!file || isDryRun) return undefined;
  const key = artifactKey(row.id, createHash('sha256').update(path).digest('hex').slice(0, 32));
  await context.storage.put(key, file.stream);
  return { key, size: file.size };
}

function subjectOf(row: Row): string {
  return `artifact ${row.id} (${row.line('artifact_name', 100)}) of run ${row.integer('run_id')}`;
}
