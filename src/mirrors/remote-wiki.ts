import type { Context } from '../context.ts';
import { listRemote, type RemoteRefs } from '../git/remotes/list-remote.ts';
import { type RemoteOptions, withRemote } from '../http/outgoing/git-remote.ts';
import { parseRemoteUrl, type RemoteUrl } from '../http/outgoing/remote-url.ts';

/** Suffixes of a repository's URL that services use for its wiki. */
const SUFFIXES = ['.wiki.git', '.git/wiki'];

/**
 * Finds the wiki of a repository on another server.
 * @returns undefined if there is none that these credentials can read
 * @throws the reason of an aborted signal
 */
export async function findRemoteWiki(
  settings: Context['settings'],
  repository: RemoteUrl,
  options: RemoteOptions,
): Promise<{ target: RemoteUrl; refs: RemoteRefs } | undefined> {
  const base = baseOf(repository.url);
  for (const suffix of SUFFIXES) {
    const target = parseRemoteUrl(base + suffix);
    try {
      return { target, refs: await withRemote(settings, target, options, listRemote) };
    } catch {
      options.signal?.throwIfAborted();
    }
  }
  return undefined;
}

/** The URL of a repository's wiki, derived from the repository's URL on such a server; empty if it cannot be derived. */
export function wikiUrlAt(url: string, { from, wikiUrl }: { from: string; wikiUrl: string }): string {
  const suffix = SUFFIXES.find((suffix) => wikiUrl === parseRemoteUrl(baseOf(from) + suffix).url);
  return suffix === undefined ? '' : parseRemoteUrl(baseOf(url) + suffix).url;
}

function baseOf(url: string): string {
  return url.replace(/\/$/, '').replace(/\.git$/, '');
}
