import { findRepository, type Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { StoredEvent } from '../../events/events.ts';
import { countLanguages, type LanguageSize } from '../../git/languages/languages.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { ObjectTooLargeError } from '../../git/objects/object.ts';
import { readRef } from '../../git/refs/refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import { findEntry } from '../../git/trees/trees.ts';
import type { JobRun } from '../../jobs/job-work.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import type * as licenseTask from './license-task.ts';

/** The name of the license file. */
const LICENSE_FILE = 'LICENSE';
const MAX_LICENSE_BYTES = 256 * 1024;
const LICENSE_TASK = new URL('./license-task.ts', import.meta.url);
const LICENSE_MS = 20_000;

/** Seconds after the first push of a burst until statistics are updated. */
const DELAY = 2;

/** Updates languages and licenses, in the background. */
export async function queueStatistics(context: Context, repositoryId: number, delay = 0): Promise<void> {
  await context.jobs.add(context, 'repository.statistics', { repositoryId }, { key: String(repositoryId), delay });
}

/** After a push to the default branch. */
export async function countAfterPush({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const repository = await findRepository(context.db, payload.repositoryId);
  if (!repository) return;
  const ref = `refs/heads/${repository.default_branch}`;
  if (payload.updates.some((update) => update.ref === ref)) await queueStatistics(context, repository.id, DELAY);
}

/** The job: detects languages and licenses of the default branch. */
export async function countStatistics(
  { repositoryId }: Jobs['repository.statistics'],
  context: Context,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const folder = context.git.locate(repository);
  const branch = await readRef(folder, context.git.pool, `refs/heads/${repository.default_branch}`);
  const languages = branch ? await languagesOf(context, folder, branch.oid, signal) : [];
  const licenses = branch ? await licensesOf(context, repository, branch.oid, signal) : [];
  // After an abort, another process may be running it already.
  signal.throwIfAborted();
  await keep(context, repositoryId, languages, licenses);
}

async function languagesOf(
  { git, workers }: Context,
  folder: GitRepository,
  commitId: string,
  signal: AbortSignal,
): Promise<LanguageSize[]> {
  try {
    return await countLanguages(folder, { pool: git.pool, workers }, commitId, signal);
  } catch (error) {
    // A retry would not help.
    if (error instanceof ObjectTooLargeError || error instanceof WorkerLimitError) return [];
    throw error;
  }
}

async function licensesOf(context: Context, repository: Repository, commitId: string, signal: AbortSignal): Promise<string[]> {
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  const commit = await readCommit(folder, pool, commitId);
  const entry = commit && (await findEntry(folder, pool, commit.tree, LICENSE_FILE));
  if (entry?.type !== 'blob') return [];
  try {
    const blob = await pool.read(folder, entry.oid, { maxSize: MAX_LICENSE_BYTES });
    if (!blob) return [];
    const text = blob.data.toString('utf8');
    return await context.workers.run<typeof licenseTask>(LICENSE_TASK, text, { background: true, deadlineMs: LICENSE_MS, signal });
  } catch (error) {
    if (error instanceof ObjectTooLargeError || error instanceof WorkerLimitError) return [];
    throw error;
  }
}

async function keep(
  context: Context,
  repositoryId: number,
  languages: readonly LanguageSize[],
  licenses: readonly string[],
): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const changed = await db
      .updateTable('repositories')
      .set({ language: languages[0]?.language ?? '', licenses: JSON.stringify(licenses) })
      .where('id', '=', repositoryId)
      .executeTakeFirst();
    if (Number(changed.numUpdatedRows) === 0) return;
    await db.deleteFrom('repository_languages').where('repository_id', '=', repositoryId).execute();
    if (languages.length === 0) return;
    const rows = languages.map(({ language, bytes }) => ({ repository_id: repositoryId, language, bytes }));
    await db.insertInto('repository_languages').values(rows).execute();
  });
}

/** The bytes of each language of the default branch, the most used first. */
export async function listLanguages({ db }: Context, repository: Repository): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('repository_languages')
    .select(['language', 'bytes'])
    .where('repository_id', '=', repository.id)
    .orderBy('bytes', 'desc')
    .orderBy('language')
    .execute();
  return Object.fromEntries(rows.map(({ language, bytes }) => [language, bytes]));
}
