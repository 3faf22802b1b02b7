import type { Repository } from '../access/find-repository.ts';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { RepositoryUpdate } from '../database/tables/repositories.ts';
import { createRepository as createFolder } from '../git/create.ts';
import { fetchRemote } from '../git/fetch-remote.ts';
import { importRefs } from '../git/import-refs.ts';
import { listRemote, type RemoteRefs } from '../git/list-remote.ts';
import type { GitRepository } from '../git/repository.ts';
import { withRemote } from '../http/outgoing/git-remote.ts';
import type { RemoteCredentials, RemoteUrl } from '../http/outgoing/remote-url.ts';
import { createRepository } from '../repositories/create.ts';
import { queueStatistics } from '../repositories/statistics/statistics.ts';
import { sealCredentials } from './credentials.ts';
import { chooseDefaultBranch } from './default-branch.ts';
import { fetchLargeFiles } from './large-files.ts';
import { findRemoteWiki } from './remote-wiki.ts';
import { withJitter } from './schedule.ts';

/** The source of a new repository, and what is imported. */
export interface ImportOptions {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly source: RemoteUrl;
  readonly credentials: RemoteCredentials | undefined;
  readonly wiki: boolean;
  /** Set to import the large files; an empty endpoint means the one derived from the source's URL. */
  readonly largeFiles?: { readonly endpoint: string };
  /** Set to create a mirror; seconds between two updates, 0 for updates on request only. */
  readonly mirror?: { readonly interval: number };
}

/**
 * Creates a repository with the content of one on another server. After a failure nothing remains of it.
 * @throws RemoteError, RemoteUrlError, HostNotAllowedError, RemoteTooLargeError; HttpError as createRepository
 */
export async function importRepository(context: Context, owner: User, options: ImportOptions): Promise<Repository> {
  const { source, credentials, mirror } = options;
  const access = credentials ? { credentials } : {};
  const listed = await withRemote(context.settings, source, access, listRemote);
  const repository = await createRepository(context, owner, {
    name: options.name,
    description: options.description,
    isPrivate: options.isPrivate,
    objectFormat: listed.objectFormat ?? 'sha1',
    kind: mirror ? 'mirror' : 'plain',
    columns: { original_url: source.url, is_mirror: mirror !== undefined },
    fill: (repository, folder) => importContent(context, repository, folder, options, listed),
  });
  await queueStatistics(context, repository.id);
  return repository;
}

async function importContent(
  context: Context,
  repository: Repository,
  folder: GitRepository,
  options: ImportOptions,
  { head }: RemoteRefs,
): Promise<RepositoryUpdate> {
  const refs = await importFrom(context, folder, options.source, options, head);
  if (options.largeFiles) {
    const { source, credentials, largeFiles } = options;
    await fetchLargeFiles(context, repository, { repository: source, endpoint: largeFiles.endpoint, credentials }, undefined);
  }
  const wiki = options.wiki ? await importWiki(context, repository, options) : undefined;
  if (options.mirror) await addMirror(context, repository, options, wiki?.url ?? '');
  const branches = [...refs.names].filter((name) => name.startsWith('refs/heads/')).length;
  return {
    is_empty: branches === 0,
    branches_count: branches,
    ...(refs.defaultBranch !== undefined && { default_branch: refs.defaultBranch }),
    ...(wiki && { default_wiki_branch: wiki.defaultBranch }),
  };
}

async function importFrom(
  { settings }: Context,
  folder: GitRepository,
  source: RemoteUrl,
  { credentials }: Pick<ImportOptions, 'credentials'>,
  head: string | undefined,
): Promise<{ names: Iterable<string>; defaultBranch: string | undefined }> {
  const access = credentials ? { credentials } : {};
  const refs = await withRemote(settings, source, access, (remote) => fetchRemote(folder, remote, { refs: 'all' }));
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
  const found = await findRemoteWiki(settings, options.source, options.credentials ? { credentials: options.credentials } : {});
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
