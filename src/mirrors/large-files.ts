import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import type { GitRepository } from '../git/repository.ts';
import type { LfsPointer } from '../git/trees/lfs-pointer.ts';
import { lfsPointers } from '../git/trees/lfs-pointers.ts';
import { type RemoteCredentials, type RemoteUrl, remoteRules } from '../http/outgoing/remote-url.ts';
import { endpointOf, fetchObjects, type LfsRemote, type LfsTransfer, pushObjects } from '../lfs/client.ts';

/** The commits whose pointers are read: those reachable from the new ids, but not from the known ids. */
export interface NewCommits {
  readonly ids: Iterable<string>;
  readonly known: Iterable<string>;
}

/** Where the large files of a repository on another server are. */
export interface LargeFilesSource {
  readonly repository: RemoteUrl;
  /** URL of the large files; empty for the one derived from the repository's URL. */
  readonly endpoint: string;
  readonly credentials: RemoteCredentials | undefined;
  readonly signal?: AbortSignal;
}

/** With more new ids than this, all pointers of the repository are read at once. */
const MAX_RANGES = 20;

/** Some large files could not be transferred. The message has the first reason. */
export class LargeFilesError extends Error {
  override readonly name = 'LargeFilesError';
}

/**
 * Fetches the large files that a repository does not have yet. Those that fail are logged and left out.
 * @param news the commits to look at; undefined for all
 * @throws LfsRemoteError, HostNotAllowedError, GitError
 */
export async function fetchLargeFiles(
  context: Context,
  repository: Repository,
  source: LargeFilesSource,
  news: NewCommits | undefined,
): Promise<void> {
  const remote = remoteOf(context, source);
  if (!context.settings.lfs.enabled || !remote) return;
  const pointers = await pointersOf(context, context.git.locate(repository), source.signal, news);
  const { failures, failed } = await fetchObjects(withRules(context), repository.id, remote, pointers);
  if (failures > 0)
    context.log.warn({ repository: repository.id, failures, failed: failed.slice(0, 5) }, 'large files could not be fetched');
}

/**
 * Sends the large files that another server does not have.
 * @param news the commits to look at; undefined for all
 * @throws LargeFilesError when some could not be sent, LfsRemoteError, HostNotAllowedError, GitError
 */
export async function pushLargeFiles(
  context: Context,
  repository: Repository,
  target: LargeFilesSource,
  news: NewCommits | undefined,
): Promise<void> {
  const remote = remoteOf(context, target);
  if (!context.settings.lfs.enabled || !remote) return;
  const pointers = await pointersOf(context, context.git.locate(repository), target.signal, news);
  requireSent(await pushObjects(withRules(context), repository.id, remote, pointers, { skipMissing: true }));
}

function requireSent({ failures, failed }: LfsTransfer): void {
  const [first] = failed;
  if (first) throw new LargeFilesError(`${failures} large files could not be sent; ${first.oid}: ${first.reason}`);
}

/** Whether a repository has any large file. */
export async function hasLargeFiles({ db }: Context, { id }: Repository): Promise<boolean> {
  return (await db.selectFrom('lfs_links').select('object_id').where('repository_id', '=', id).limit(1).executeTakeFirst()) !== undefined;
}

/** Undefined for the git protocol without an endpoint: large files need HTTP. */
function remoteOf({ settings }: Context, { repository, endpoint, credentials, signal }: LargeFilesSource): LfsRemote | undefined {
  if (endpoint === '' && repository.protocol === 'git') return undefined;
  const url = endpoint || endpointOf(repository.url);
  // Credentials are sent only to the server of the repository.
  const isSame = new URL(url).origin === new URL(repository.url).origin;
  return {
    endpoint: url,
    verifyCertificates: settings.migrations.verifyCertificates,
    ...(credentials && isSame && { credentials: { name: credentials.username, password: credentials.password } }),
    ...(signal && { signal }),
  };
}

/** The context with the rules for hosts of mirrors, which then hold for large files too. */
function withRules(context: Context): Context {
  return { ...context, settings: { ...context.settings, outgoing: remoteRules(context.settings) } };
}

async function pointersOf(
  { git, settings }: Context,
  folder: GitRepository,
  signal: AbortSignal | undefined,
  news: NewCommits | undefined,
): Promise<AsyncIterable<LfsPointer>> {
  const bounds = { timeoutMs: settings.migrations.timeout, ...(signal && { signal }) };
  const ids = news && [...new Set(news.ids)];
  if (!ids || ids.length > MAX_RANGES) return lfsPointers(folder, git.pool, undefined, bounds);
  const without: string[] = [];
  for (const id of new Set(news.known)) if (await git.pool.info(folder, id)) without.push(id);
  return (async function* () {
    for (const from of ids) yield* lfsPointers(folder, git.pool, { from, without }, bounds);
  })();
}
