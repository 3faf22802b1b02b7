import { findRepository, type Repository } from '../../access/find-repository.ts';
import { fullName } from '../../access/requirements.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { recordNotice } from '../../database/notices.ts';
import type { PushMirrorRow } from '../../database/tables/mirrors.ts';
import { listRefs } from '../../git/refs/refs.ts';
import { listRemote } from '../../git/remotes/list-remote.ts';
import { pushRemote } from '../../git/remotes/push-remote.ts';
import type { Remote } from '../../git/remotes/remote.ts';
import { withRemote } from '../../http/outgoing/git-remote.ts';
import { parseRemoteUrl, type RemoteCredentials, type RemoteUrl } from '../../http/outgoing/remote-url.ts';
import type { JobRun } from '../../jobs/job-work.ts';
import { openCredentials } from '../credentials.ts';
import { failureText } from '../failure.ts';
import { hasLargeFiles, pushLargeFiles } from '../large-files.ts';
import { findRemoteWiki } from '../remote-wiki.ts';
import { enqueueDue, nextAfterFailure, nextAfterSuccess, postponeIfBusy } from '../schedule.ts';

/** The job that pushes to one mirror. A failure is recorded in the mirror's row, and retried by the schedule. */
export async function syncPushMirror({ mirrorId }: { mirrorId: number }, context: Context, run: JobRun): Promise<void> {
  const { db, settings } = context;
  const mirror = await db.selectFrom('push_mirrors').selectAll().where('id', '=', mirrorId).executeTakeFirst();
  const repository = mirror && (await findRepository(db, mirror.repository_id));
  if (!mirror || !repository || repository.is_archived || !settings.mirrors.enabled) return;
  if (await postponeIfBusy(context, 'push_mirrors', run, mirror)) return;
  let failure = '';
  try {
    await pushContent(context, mirror, repository, run);
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    failure = failureText(error);
    context.log.warn(
      { repository: repository.id, mirror: mirror.remote_name, err: error },
      'a push mirror could not be brought up to date',
    );
    await recordNotice(context, { kind: 'mirror', subject: `${fullName(repository)} (${mirror.remote_name})`, text: failure });
  }
  const { id, interval } = mirror;
  const failures = failure === '' ? 0 : mirror.failures + 1;
  const next = failures === 0 ? nextAfterSuccess(interval) : nextAfterFailure(interval, failures);
  await db
    .updateTable('push_mirrors')
    .set({ failures, last_error: failure, last_update_at: now(), next_at: next })
    .where('id', '=', id)
    .execute();
  await enqueueDue(context, 'push_mirrors', mirror.remote_host);
}

async function pushContent(context: Context, mirror: PushMirrorRow, repository: Repository, { signal }: JobRun): Promise<void> {
  const { git, settings } = context;
  const target = parseRemoteUrl(mirror.remote_url);
  const credentials = openCredentials(context, 'push mirror', mirror);
  const options = { signal, ...(credentials && { credentials }) };
  // A push of an empty repository would delete everything in the mirror.
  if (!repository.is_empty)
    await withRemote(settings, target, options, async (remote) => {
      if (await hasLargeFiles(context, repository)) await pushFilesOf(context, mirror, repository, { target, ...options }, remote);
      await pushRemote(git.locate(repository), remote);
    });
  const wiki = git.locateWiki(repository);
  if (!(await git.exists(wiki))) return;
  const there = await findRemoteWiki(settings, target, options);
  if (there) await withRemote(settings, there.target, options, (remote) => pushRemote(wiki, remote));
}

/** Pushes the large files; this is done before the commits that need them. */
async function pushFilesOf(
  context: Context,
  mirror: PushMirrorRow,
  repository: Repository,
  { target, credentials, signal }: { target: RemoteUrl; credentials?: RemoteCredentials; signal: AbortSignal },
  remote: Remote,
): Promise<void> {
  const { git } = context;
  const known = new Set((await listRemote(remote)).refs.values());
  const refs = await listRefs(git.locate(repository), git.pool);
  const ids = refs.filter(({ name, oid }) => /^refs\/(heads|tags)\//.test(name) && !known.has(oid)).map(({ oid }) => oid);
  const news = mirror.failures > 0 ? undefined : { ids, known };
  await pushLargeFiles(context, repository, { repository: target, endpoint: '', credentials, signal }, news);
}
