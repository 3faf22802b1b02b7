import { SourceClient } from '../source/client.ts';
import { type Fields, fieldsOf } from '../source/fields.ts';
import { numberedPage, pageNumber } from '../source/lists.ts';
import type { SourceOptions } from '../source/options.ts';
import { basicAuthorization, parseProjectUrl } from '../source/project-url.ts';
import type { SourcePage } from '../source/source.ts';

/** The third version of GitHub's API, for one repository. */
export interface GitHubApi {
  readonly client: SourceClient;
  /** The path of the repository below the API. */
  readonly path: string;
  /** Whether the server has reviews and reactions; others have only the rest of this API. */
  readonly isComplete: boolean;
  /** A page of a list of the repository; items for which `read` returns undefined are left out. */
  list<T>(
    path: string,
    cursor: string,
    read: (fields: Fields) => T | undefined,
    query?: Readonly<Record<string, string>>,
  ): Promise<SourcePage<T>>;
}

// Fewer than the API allows: texts may have 256 KiB, and a response is held in memory.
const PER_PAGE = 50;

/**
 * The API of a repository on GitHub, or on a GitHub Enterprise server.
 * @throws SourceError for a URL of something else
 */
export function githubApi(options: SourceOptions): GitHubApi {
  const { origin, parts } = parseProjectUrl(options.url, 2);
  const { host } = new URL(origin);
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  const base = isCloud ? `https://api.${host}/` : `${origin}/api/v3/`;
  return apiOf(options, base, parts.slice(0, 2), true);
}

/** The API at a base, for a repository with this owner and name. */
export function apiOf(
  { credentials, token, settings, signal, onWait }: SourceOptions,
  base: string,
  names: readonly string[],
  isComplete: boolean,
): GitHubApi {
  // Several tokens allow more requests: while one is limited, the next is used.
  const tokens = token.split(',').map((one) => one.trim());
  const authorizations = token ? tokens.map((one) => `token ${one}`) : basicAuthorization(credentials);
  const headers = { accept: 'application/vnd.github+json' };
  const client = new SourceClient({ settings, base, headers, authorizations, signal, onWait });
  const path = `repos/${names.join('/')}`;
  return {
    client,
    path,
    isComplete,
    list: async (below, cursor, read, query = {}) => {
      const { json } = await client.get(`${path}/${below}`, { ...query, page: pageNumber(cursor), per_page: PER_PAGE });
      const items = fieldsOf(json, below.replace(/\/\d+/g, ''));
      return numberedPage(
        cursor,
        items.flatMap((fields) => read(fields) ?? []),
        items.length < PER_PAGE,
      );
    },
  };
}
