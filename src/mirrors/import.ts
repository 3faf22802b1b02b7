import type { Repository } from '../access/find-repository.ts';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { RepositoryUpdate } from '../database/tables/repositories.ts';
import { createRepository as createFolder, deleteRepository as deleteFolder } from '../git/create.ts';
import { importRefs } from '../git/refs/import-refs.ts';
import { fetchRemote, isMirrored } from '../git/remotes/fetch-remote.ts';
import { listRemote } from '../git/remotes/list-remote.ts';
import type { GitRepository } from '../git/repository.ts';
import { withRemote } from '../http/outgoing/git-remote.ts';
import type { RemoteCredentials, RemoteUrl } from '../http/outgoing/remote-url.ts';
import { sealCredentials } from './credentials.ts';
import { chooseDefaultBranch } from './default-branch.ts';
import { fetchLargeFiles } from './large-files.ts';
import { findRemoteWiki } from './remote-wiki.ts';
import { withJitter } from './schedule.ts';

/** The source of a new repository, and the parts to import. */
export interface ImportOptions {
  readonly source: RemoteUrl;
  readonly credentials: RemoteCredentials | undefined;
  /** The default branch if git does not report one; empty for none. */
  readonly defaultBranch: string;
  readonly wiki: boolean;
  /** Whether the commits of pull requests are fetched too. Their refs are left to who makes the pull requests. */
  readonly pulls: boolean;
  /** Set to import the large files; an empty endpoint means the one derived from the source's URL. */
  readonly largeFiles?: { readonly endpoint: string };
  /** Set to create a mirror; seconds between two updates, 0 for updates on request only. */
  readonly mirror?: { readonly interval: number };
  readonly signal: AbortSignal;
  /** Called with lines of git's progress. */
  readonly onProgress: (line: string) => void;
}

/**
 * Fills a repository that nobody sees yet with the content of one on another server. What an earlier attempt left is removed first.
 * @returns the columns of its row that follow from the content
 * @throws RemoteError, RemoteUrlError, HostNotAllowedError, RemoteTooLargeError, LfsRemoteError
 */
export async function importRepository(context: Context, row: Repository, options: ImportOptions): Promise<RepositoryUpdate> {
  const { source } = options;
  const listed = await withRemote(context.settings, source, accessOf(options), listRemote);
  const repository = { ...row, object_format: listed.objectFormat ?? 'sha1' };
  const folder = context.git.locate(repository);
  await Promise.all([deleteFolder(folder), deleteFolder(context.git.locateWiki(repository))]);
  await createFolder(folder.path, { objectFormat: repository.object_format, defaultBranch: repository.default_branch });
  const head = listed.head ?? (options.defaultBranch ? `refs/heads/${options.defaultBranch}` : undefined);
  const refs = await importFrom(context, folder, source, options, head);
  if (options.largeFiles) {
    const { credentials, largeFiles, signal } = options;
    await fetchLargeFiles(context, repository, { repository: source, endpoint: largeFiles.endpoint, credentials, signal }, undefined);
  }
  const wiki = options.wiki ? await importWiki(context, repository, options) : undefined;
  if (options.mirror) await addMirror(context, repository, options, wiki?.url ?? '');
  const branches = [...refs.names].filter((name) => name.startsWith('refs/heads/')).length;
  return {
    object_format: repository.object_format,
    is_empty: branches === 0,
    branches_count: branches,
    ...(refs.defaultBranch !== undefined && { default_branch: refs.defaultBranch }),
    ...(wiki && { default_wiki_branch: wiki.defaultBranch }),
  };
}

const accessOf = ({ credentials, signal }: ImportOptions) => ({ ...(credentials && { credentials }), signal });

async function importFrom(
  { settings }: Context,
  folder: GitRepository,
  source: RemoteUrl,
  options: ImportOptions,
  head: string | undefined,
): Promise<{ names: Iterable<string>; defaultBranch: string | undefined }> {
  const { onProgress } = options;
  const choice = options.pulls ? 'all-and-pulls' : 'all';
  const fetched = await withRemote(settings, source, accessOf(options), (remote) =>
    fetchRemote(folder, remote, { refs: choice, onProgress }),
  );
  const refs = new Map([...fetched].filter(([name]) => isMirrored(name)));
  const defaultBranch = chooseDefaultBranch(refs, head);
  await importRefs(folder, refs, defaultBranch);
  return { names: refs.keys(), defaultBranch };
}

/** Imports the wiki, if the source has one with the same object format. */
async function importWiki(
  context: Context,
  repository: Repository,
  options: ImportOptions,
): Promise<{ url: string; defaultBranch: string } | undefined> {
  const { git, settings } = context;
  const found = await findRemoteWiki(settings, options.source, accessOf(options));
  if (!found || (found.refs.objectFormat ?? repository.object_format) !== repository.object_format) return undefined;
  const folder = git.locateWiki(repository);
  const { default_wiki_branch: branch, object_format: objectFormat } = repository;
  await createFolder(folder.path, { objectFormat, defaultBranch: branch });
  const { defaultBranch = branch } = await importFrom(context, folder, found.target, options, found.refs.head);
  return { url: found.target.url, defaultBranch };
}

async function addMirror(context: Context, repository: Repository, options: ImportOptions, wikiUrl: string): Promise<void> {
  const { source, credentials, mirror, largeFiles } = options;
  const interval = mirror?.interval ?? 0;
  const time = now();
  await context.db.deleteFrom('mirrors').where('repository_id', '=', repository.id).execute();
  await context.db
    .insertInto('mirrors')
    .values({
      repository_id: repository.id,
      remote_url: source.url,
      remote_host: source.host,
      credentials: sealCredentials(context, 'mirror', source.url, credentials),
      interval,
      next_at: interval === 0 ? null : time + withJitter(interval),
      wiki_url: wikiUrl,
      lfs: largeFiles !== undefined,
      lfs_endpoint: largeFiles?.endpoint ?? '',
      created_at: time,
      updated_at: time,
    })
    .execute();
}
