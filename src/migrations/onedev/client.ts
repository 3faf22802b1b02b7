import { SourceClient } from '../source/client.ts';
import { SourceError } from '../source/errors.ts';
import { type Fields, fieldsOf } from '../source/fields.ts';
import type { SourceOptions } from '../source/options.ts';
import { basicAuthorization, decodedPart, parseProjectUrl } from '../source/project-url.ts';
import type { SourcePerson } from '../source/source.ts';

/** The API of a OneDev server, for one project. */
export interface OneDevApi {
  readonly id: number;
  /** The path of the project, as queries name it. */
  readonly path: string;
  /** The objects of a list; empty if it is missing. */
  list(path: string, query?: Readonly<Record<string, string | number>>): Promise<Fields[]>;
  /** A single object. */
  find(path: string): Promise<Fields | undefined>;
  /** The user with this id. */
  person(id: number): Promise<SourcePerson>;
  /** The names of milestones by id. */
  milestones(): Promise<ReadonlyMap<number, string>>;
}

/** Objects of a page. */
export const PER_PAGE = 100;
const MAX_PEOPLE = 100_000;

/**
 * Finds a project.
 * @throws SourceError if there is none
 */
export async function openProject({
  url,
  credentials,
  token,
  settings,
  signal,
  onWait,
}: SourceOptions): Promise<{ api: OneDevApi; project: Fields }> {
  const { origin, parts } = parseProjectUrl(url, 1);
  const path = parts.map(decodedPart).join('/');
  // The queries contain it in quotes.
  if (/["\\]/.test(path)) throw new SourceError('missing', 'the URL is not that of a project on such a server');
  const authorizations = token ? [`Bearer ${token}`] : basicAuthorization(credentials);
  const client = new SourceClient({ settings, base: `${origin}/~api/`, authorizations, signal, onWait });
  const [project] = fieldsOf((await client.get('projects', { query: `"Path" is "${path}"`, offset: 0, count: 1 })).json, 'projects');
  if (!project) throw new SourceError('missing', `${new URL(origin).host} has no such project, or does not show it`);
  return { api: apiOf(client, project.id('id'), path), project };
}

function apiOf(client: SourceClient, id: number, path: string): OneDevApi {
  const people = new Map<number, SourcePerson>();
  let milestones: Map<number, string> | undefined;
  const api: OneDevApi = {
    id,
    path,
    list: async (path, query) => fieldsOf((await client.find(path, query))?.json ?? [], path.replace(/\/\d+/g, '')),
    find: async (path) => {
      const found = await client.find(path);
      return found && fieldsOf([found.json], path.replace(/\/\d+/g, ''))[0];
    },
    person: async (id) => {
      const known = people.get(id);
      if (known) return known;
      const name = id > 0 ? ((await api.find(`users/${id}`))?.text('name', 255) ?? '') : '';
      const person = { id, name: name || 'Ghost' };
      if (people.size < MAX_PEOPLE) people.set(id, person);
      return person;
    },
    milestones: async () => {
      milestones ??= await readNames(api);
      return milestones;
    },
  };
  return api;
}

async function readNames(api: OneDevApi): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (let offset = 0; offset < MAX_PEOPLE; offset += PER_PAGE) {
    const found = await api.list(`projects/${api.id}/iterations`, { offset, count: PER_PAGE });
    for (const milestone of found) names.set(milestone.id('id'), milestone.text('name', 1000));
    if (found.length < PER_PAGE) break;
  }
  return names;
}
