import { SourceClient } from '../source/client.ts';
import { SourceError } from '../source/errors.ts';
import { Fields, fieldsOf } from '../source/fields.ts';
import { numberedPage, pageNumber } from '../source/lists.ts';
import type { SourceOptions } from '../source/options.ts';
import { decodedPart, parseProjectUrl } from '../source/project-url.ts';
import type { SourcePage } from '../source/source.ts';

type Query = Readonly<Record<string, string>>;

/** The fourth version of GitLab's API, for one project. */
export interface GitLabApi {
  readonly client: SourceClient;
  readonly project: Fields;
  /** The path of the project below the API. */
  readonly path: string;
  /** A page of a list below the project. */
  list<T>(path: string, cursor: string, read: (fields: Fields) => T, query?: Query): Promise<SourcePage<T>>;
}

/** Items of a page. */
export const PER_PAGE = 50;
/** Parts of a path: a project is in groups within groups. */
const MAX_PARTS = 25;

/**
 * Finds the API of a project. The server may be below a path of its own, so each part of the path is tried as the beginning of the project's.
 * @throws SourceError if there is no such project
 */
export async function gitlabApi({ url, token, settings, signal, onWait }: SourceOptions): Promise<GitLabApi> {
  const { origin, parts } = parseProjectUrl(url, 2);
  const authorizations = token ? [`Bearer ${token}`] : [];
  for (let at = 0; at <= Math.min(parts.length - 2, MAX_PARTS); at++) {
    const base = `${[origin, ...parts.slice(0, at)].join('/')}/api/v4/`;
    const client = new SourceClient({ settings, base, authorizations, signal, onWait });
    const found = await client.find(`projects/${encodeURIComponent(parts.slice(at).map(decodedPart).join('/'))}`);
    if (found) return apiOf(client, new Fields(found.json, 'project'));
  }
  throw new SourceError('missing', `${new URL(origin).host} has no such project, or does not show it`);
}

function apiOf(client: SourceClient, project: Fields): GitLabApi {
  const path = `projects/${project.id('id')}`;
  return {
    client,
    project,
    path,
    list: async (below, cursor, read, query = {}) => {
      const { json } = await client.get(`${path}/${below}`, { ...query, page: pageNumber(cursor), per_page: PER_PAGE });
      const items = fieldsOf(json, below.replace(/\/\d+/g, ''));
      return numberedPage(cursor, items.map(read), items.length < PER_PAGE);
    },
  };
}
