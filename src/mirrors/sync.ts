import { findRepository, type Repository } from '../access/find-repository.ts';
import { fullName } from '../access/requirements.ts';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import { recordNotice } from '../database/notices.ts';
import type { MirrorRow } from '../database/tables/mirrors.ts';
import type { PackedRef } from '../git/refs/packed-refs.ts';
import { listRefs } from '../git/refs/refs.ts';
import { storedRef } from '../git/refs/stored-refs.ts';
import { fetchRemote } from '../git/remotes/fetch-remote.ts';
import { listRemote } from '../git/remotes/list-remote.ts';
import { RemoteError } from '../git/remotes/remote.ts';
import { withRemote } from '../http/outgoing/git-remote.ts';
import { parseRemoteUrl, type RemoteUrl } from '../http/outgoing/remote-url.ts';
import type { JobRun } from '../jobs/job-work.ts';
import { switchDefaultBranch } from '../repositories/edit/edit.ts';
import { wikiFolderForWriting } from '../repositories/wiki-folder.ts';
import { openCredentials } from './credentials.ts';
import { failureText } from './failure.ts';
import { followRefs, followWikiRefs, isUpToDate } from './follow-refs.ts';
import { fetchLargeFiles } from './large-files.ts';
import { enqueueDue, nextAfterFailure, nextAfterSuccess, postponeIfBusy } from './schedule.ts';

/** The job that updates one mirror. A failure is recorded in the mirror's row, and retried by the schedule, not by the queue. */
export async function syncMirror({ mirrorId }: { mirrorId: number }, context: Context, run: JobRun): Promise<void> {
  const { db, settings } = context;
  const mirror = await db.selectFrom('mirrors').selectAll().where('id', '=', mirrorId).executeTakeFirst();
  const repository = mirror && (await findRepository(db, mirror.repository_id));
  if (!mirror || !repository?.is_mirror || !settings.mirrors.enabled) return;
  if (await postponeIfBusy(context, 'mirrors', run, mirror)) return;
  let failure = '';
  try {
    await syncContent(context, mirror, repository, run);
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    failure = failureText(error);
    context.log.warn({ repository: repository.id, err: error }, 'a mirror could not be brought up to date');
    await recordNotice(context, { kind: 'mirror', subject: fullName(repository), text: failure });
  }
  await recordResult(context, mirror, failure);
  await enqueueDue(context, 'mirrors', mirror.remote_host);
}

/** Records the result. The interval is read again, because it may have changed during the update. */
async function recordResult({ db }: Context, { id, failures }: MirrorRow, failure: string): Promise<void> {
  const row = await db.selectFrom('mirrors').select('interval').where('id', '=', id).executeTakeFirst();
  if (!row) return;
  const columns =
    failure === ''
      ? { failures: 0, next_at: nextAfterSuccess(row.interval) }
      : { failures: failures + 1, next_at: nextAfterFailure(row.interval, failures + 1) };
  await db
    .updateTable('mirrors')
    .set({ ...columns, last_error: failure, updated_at: now() })
    .where('id', '=', id)
    .execute();
}

async function syncContent(context: Context, mirror: MirrorRow, repository: Repository, run: JobRun): Promise<void> {
  const folder = context.git.locate(repository);
  const rules = { prune: mirror.enable_prune, signal: run.signal };
  const head = await withSource(context, mirror, run, parseRemoteUrl(mirror.remote_url), async (remote) => {
    const { refs, head, objectFormat } = await listRemote(remote);
    if (objectFormat !== undefined && objectFormat !== repository.object_format)
      throw new RemoteError('other', `the objects there are named by ${objectFormat}, not by ${repository.object_format}`);
    const isCurrent = await isUpToDate(context, folder, refs, rules);
    const fetched = isCurrent
      ? undefined
      : await fetchRemote(folder, remote, { refs: 'all', onProgress: (text) => run.progress({ text }) });
    const failure = await syncLargeFiles(context, mirror, repository, run, fetched);
    if (fetched) await followRefs(context, repository, fetched, rules);
    if (failure) throw failure.error;
    return head;
  });
  await followHead(context, repository, head);
  if (mirror.wiki_url !== '') await syncWiki(context, mirror, repository, run);
}

/**
 * Fetches the large files before the refs move, so that the next update fetches them if this one is interrupted. If that fails, the refs
 * move nevertheless, and the next update looks for all files.
 * @returns the error of a failure
 */
async function syncLargeFiles(
  context: Context,
  mirror: MirrorRow,
  repository: Repository,
  { signal }: JobRun,
  fetched: ReadonlyMap<string, PackedRef> | undefined,
): Promise<{ error: unknown } | undefined> {
  const { git } = context;
  const isRetry = mirror.failures > 0;
  if (!mirror.lfs || !(fetched || isRetry)) return undefined;
  const source = {
    repository: parseRemoteUrl(mirror.remote_url),
    endpoint: mirror.lfs_endpoint,
    credentials: openCredentials(context, 'mirror', mirror),
    signal,
  };
  const known = new Set((await listRefs(git.locate(repository), git.pool)).map(({ oid }) => oid));
  const ids = [...(fetched?.values() ?? [])].map(({ oid }) => oid).filter((oid) => !known.has(oid));
  try {
    await fetchLargeFiles(context, repository, source, isRetry ? undefined : { ids, known });
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
  return undefined;
}

async function syncWiki(context: Context, mirror: MirrorRow, repository: Repository, run: JobRun): Promise<void> {
  const wiki = await wikiFolderForWriting(context, repository);
  await withSource(context, mirror, run, parseRemoteUrl(mirror.wiki_url), async (remote) => {
    const { refs } = await listRemote(remote);
    // Deleting all pages leaves commits: a response without refs does not mean that the wiki was deleted.
    if (refs.size === 0 || (await isUpToDate(context, wiki, refs, { prune: true }))) return;
    await followWikiRefs(context, wiki, await fetchRemote(wiki, remote, { refs: 'all' }), { prune: true });
  });
}

async function withSource<T>(
  context: Context,
  mirror: MirrorRow,
  { signal }: JobRun,
  target: RemoteUrl,
  task: Parameters<typeof withRemote<T>>[3],
): Promise<T> {
  const credentials = openCredentials(context, 'mirror', mirror);
  return await withRemote(context.settings, target, { signal, ...(credentials && { credentials }) }, task);
}

/** Sets the default branch to that of the source, if the repository was empty or its default branch no longer exists. */
async function followHead(context: Context, before: Repository, head: string | undefined): Promise<void> {
  const repository = await findRepository(context.db, before.id);
  if (!repository || !head?.startsWith('refs/heads/')) return;
  const folder = context.git.locate(repository);
  const isThere = storedRef(folder, `refs/heads/${repository.default_branch}`) !== undefined;
  if ((isThere && !before.is_empty) || storedRef(folder, head) === undefined) return;
  await switchDefaultBranch(context, repository, head.slice('refs/heads/'.length));
}
