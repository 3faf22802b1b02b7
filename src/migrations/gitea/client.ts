import { SourceClient } from '../source/client.ts';
import { type Fields, fieldsOf } from '../source/fields.ts';
import { numberedPage, pageNumber } from '../source/lists.ts';
import type { SourceOptions } from '../source/options.ts';
import { basicAuthorization, parseProjectUrl } from '../source/project-url.ts';
import type { SourcePage } from '../source/source.ts';

/** The API of a Gitea server, for one of its repositories. */
export interface GiteaApi {
  readonly client: SourceClient;
  /** The path of the repository below the API, such as `repos/owner/name`. */
  readonly path: string;
  /** A page of a list below the repository. */
  list<T>(path: string, cursor: string, read: (fields: Fields) => T, query?: Readonly<Record<string, string>>): Promise<SourcePage<T>>;
}

/** Items of a page if the server does not report its limit. */
const DEFAULT_PAGE = 10;
const MAX_PAGE = 50;

/**
 * Finds the API of a repository: the last two parts of its path name it, those before are the path of the server.
 * @throws SourceError for another URL
 */
export async function giteaApi({ url, credentials, token, settings, signal, onWait }: SourceOptions): Promise<GiteaApi> {
  const { origin, parts } = parseProjectUrl(url, 2);
  const [owner, name] = parts.slice(-2);
  const base = `${[origin, ...parts.slice(0, -2)].join('/')}/api/v1/`;
  const authorizations = token ? [`token ${token}`] : basicAuthorization(credentials);
  const client = new SourceClient({ settings, base, authorizations, signal, onWait });
  const path = `repos/${owner}/${name}`;
  const limit = await pageSize(client);
  return {
    client,
    path,
    list: async (below, cursor, read, query = {}) => {
      const what = below.replace(/\/\d+/g, '');
      const { json } = await client.get(`${path}/${below}`, { ...query, page: pageNumber(cursor), limit });
      const items = fieldsOf(json, what);
      return numberedPage(cursor, items.map(read), items.length < limit);
    },
  };
}

async function pageSize(client: SourceClient): Promise<number> {
  const found = await client.find('settings/api');
  if (!found) return DEFAULT_PAGE;
  const [settings] = fieldsOf([found.json], 'settings');
  return Math.min(settings?.count('max_response_items') || DEFAULT_PAGE, MAX_PAGE);
}
