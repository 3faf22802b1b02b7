import type { Repository } from '../access/find-repository.ts';
import { type Context, inTransaction } from '../context.ts';
import type { MirrorRow } from '../database/tables/mirrors.ts';
import { badRequest, forbidden, unprocessable } from '../http/errors.ts';
import {
  parseRemoteUrl,
  type RemoteCredentials,
  type RemoteUrl,
  RemoteUrlError,
  requireRemoteAllowed,
  requireUsable,
} from '../http/outgoing/remote-url.ts';
import { endpointOf } from '../lfs/client.ts';
import { trimEnd } from '../text/trim-end.ts';
import { givenCredentials, openCredentials, sealCredentials } from './credentials.ts';
import { findMirror, requireMirrors } from './pull-mirror.ts';
import { wikiUrlAt } from './remote-wiki.ts';

/** The source of a mirror. */
export interface MirrorSource {
  /** With or without credentials. */
  readonly address: string;
  /** Empty to retain the stored ones, as long as the URL is of the same repository. */
  readonly username: string;
  readonly password: string;
  /** Whether those that are stored are removed. */
  readonly forgetsCredentials: boolean;
  readonly largeFiles: boolean;
  /** Empty for the one derived from the URL. */
  readonly largeFilesEndpoint: string;
}

/**
 * Changes what a mirror follows, and with which credentials. The failures so far count no more.
 * @throws HttpError 400 for a repository that is not a mirror, 403 for a host that is not allowed, 422 for an address that is none
 */
export async function editMirrorSource(context: Context, repository: Repository, wanted: MirrorSource): Promise<void> {
  requireMirrors(context);
  const mirror = await findMirror(context, repository);
  if (!mirror) throw badRequest('Repository is not a mirror');
  const url = await readUrl(context, wanted.address, 'MirrorAddress');
  const endpoint = wanted.largeFilesEndpoint && (await readUrl(context, wanted.largeFilesEndpoint, 'LFSEndpoint'));
  if (endpoint && (endpoint.protocol === 'git' || endpoint.credentials)) throw unprocessable('[LFSEndpoint]: Url');
  const credentials = readCredentials(context, mirror, { url, endpoint: endpoint ? endpoint.url : '' }, wanted);
  await inTransaction(context, async ({ db }) => {
    await db
      .updateTable('mirrors')
      .set({
        remote_url: url.url,
        remote_host: url.host,
        credentials: sealCredentials(context, 'mirror', url.url, credentials),
        wiki_url: mirror.wiki_url && wikiUrlAt(url.url, { from: mirror.remote_url, wikiUrl: mirror.wiki_url }),
        lfs: wanted.largeFiles && context.settings.lfs.enabled,
        lfs_endpoint: endpoint ? endpoint.url : '',
        failures: 0,
      })
      .where('id', '=', mirror.id)
      .execute();
    await db.updateTable('repositories').set({ original_url: url.url }).where('id', '=', repository.id).execute();
  });
}

/**
 * The credentials from now on. Those that are stored were given for one repository: who administers the mirror could read another one with
 * them, or have them sent to another server.
 */
function readCredentials(
  context: Context,
  mirror: MirrorRow,
  { url, endpoint }: { url: RemoteUrl; endpoint: string },
  { username, password, forgetsCredentials }: MirrorSource,
): RemoteCredentials | undefined {
  const given = givenCredentials(url.credentials, { username, password });
  try {
    if (given) requireUsable(given);
  } catch (error) {
    throw refusal(error, 'MirrorPassword');
  }
  if (given || forgetsCredentials) return given;
  const isSame = repositoryAt(url.url) === repositoryAt(mirror.remote_url) && url.protocol !== 'git' && !isElsewhere(mirror, url, endpoint);
  return isSame ? openCredentials(context, 'mirror', mirror) : undefined;
}

/** Whether the LFS objects have a new URL on the server, possibly of another repository. Other servers get no credentials. */
function isElsewhere(mirror: MirrorRow, { url }: RemoteUrl, endpoint: string): boolean {
  if (endpoint === '' || endpoint === mirror.lfs_endpoint || new URL(endpoint).origin !== new URL(url).origin) return false;
  return trimEnd(endpoint, '/') !== endpointOf(url);
}

/** Servers serve a repository at its URL with and without `.git`. */
function repositoryAt(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return origin + trimEnd(pathname, '/').replace(/\.git$/, '') + search;
}

async function readUrl({ settings }: Context, text: string, field: string): Promise<RemoteUrl> {
  try {
    const url = parseRemoteUrl(text);
    await requireRemoteAllowed(settings, url);
    return url;
  } catch (error) {
    throw refusal(error, field);
  }
}

function refusal(error: unknown, field: string): unknown {
  if (!(error instanceof RemoteUrlError)) return error;
  return error.fault === 'host' ? forbidden(`[${field}]: the host is not allowed`) : unprocessable(`[${field}]: Url`);
}
