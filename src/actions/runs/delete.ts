import { type Context, inTransaction } from '../../context.ts';
import type { ActionRun } from '../../database/tables/actions.ts';
import { badRequest } from '../../http/errors.ts';
import { lockRuns } from '../jobs/lock.ts';
import { DONE } from '../jobs/status.ts';

/** Files that one job removes. */
const BATCH = 100;

/**
 * Deletes a run with all that belongs to it.
 * @throws HttpError 400 when it is not over
 */
export async function deleteRun(context: Context, run: ActionRun): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockRuns(context, run.repository_id);
    const keys = await storedFiles(context, { runId: run.id });
    const { numDeletedRows } = await context.db
      .deleteFrom('action_runs')
      .where('id', '=', run.id)
      .where('status', 'in', DONE)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw badRequest('this workflow run is not done');
    for (let at = 0; at < keys.length; at += BATCH)
      await context.jobs.add(context, 'actions.remove-files', { keys: keys.slice(at, at + BATCH) });
  });
}

/** Deletes the logs and artifacts of a deleted repository, before its rows. */
export async function removeFilesOfRepository({ repositoryId }: { repositoryId: number }, context: Context): Promise<void> {
  await removeFiles({ keys: await storedFiles(context, { repositoryId }) }, context);
}

/** Deletes stored files. Missing ones are not error. */
export async function removeFiles({ keys }: { keys: readonly string[] }, { storage }: Context): Promise<void> {
  for (const key of keys) await storage.delete(key);
}

/** The storage keys of the logs and artifacts of a run, or of a repository. */
async function storedFiles({ db }: Context, of: { runId: number } | { repositoryId: number }): Promise<string[]> {
  const jobs = db.selectFrom('action_jobs').select('id');
  const logs = db.selectFrom('action_tasks').select('log_key').where('log_key', '<>', '');
  const artifacts = db.selectFrom('action_artifacts').select('storage_key').where('storage_key', '<>', '');
  const ofLogs =
    'runId' in of ? logs.where('job_id', 'in', jobs.where('run_id', '=', of.runId)) : logs.where('repository_id', '=', of.repositoryId);
  const ofArtifacts = 'runId' in of ? artifacts.where('run_id', '=', of.runId) : artifacts.where('repository_id', '=', of.repositoryId);
  return [...(await ofLogs.execute()).map((row) => row.log_key), ...(await ofArtifacts.execute()).map((row) => row.storage_key)];
}
