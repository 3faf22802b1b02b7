import type { Context } from '../../context.ts';
import { readXml } from '../../packages/archives/read-xml.ts';
import { WorkersBusyError } from '../../workers/errors.ts';
import { SourceClient } from '../source/client.ts';
import { SourceError } from '../source/errors.ts';
import { Fields } from '../source/fields.ts';
import type { SourceOptions } from '../source/options.ts';
import { basicAuthorization, parseProjectUrl } from '../source/project-url.ts';
import type { SourcePerson } from '../source/source.ts';

/** The API of Codebase, for one repository of a project. All its values are texts. */
export interface CodebaseApi {
  /** The path of the project below the API. */
  readonly project: string;
  /** The path of the repository. */
  readonly repository: string;
  /** The element at a path; undefined if there is none. */
  find(path: string): Promise<Fields | undefined>;
  /** The elements of this name in the list at a path. */
  list(path: string, element: string, query?: Readonly<Record<string, string | number>>): Promise<Fields[]>;
  /** The user with this id. */
  person(id: number): Promise<SourcePerson>;
}

/** Length limit of one document in characters. */
const MAX_DOCUMENT = 8 * 1024 * 1024;

/**
 * The API of a repository, whose URL names project and repository. The API of codebasehq.com is a host of its own.
 * @throws SourceError for another URL
 */
export function codebaseApi({ url, credentials, settings, signal, onWait, workers }: SourceOptions): CodebaseApi {
  const { origin, parts } = parseProjectUrl(url, 2);
  const base = new URL(origin).host.endsWith('.codebasehq.com') ? 'https://api3.codebasehq.com/' : `${origin}/`;
  const [project = '', name = ''] = parts.slice(-2);
  const client = new SourceClient({ settings, base, authorizations: basicAuthorization(credentials), signal, onWait });
  const read = async (path: string, query?: Readonly<Record<string, string | number>>) => {
    const text = await client.findText(path, 'application/xml', query);
    return text === undefined ? undefined : await rootOf({ workers }, text);
  };
  let people: Map<number, string> | undefined;
  const list: CodebaseApi['list'] = async (path, element, query) => elementsOf(await read(path, query), element);
  return {
    project,
    repository: `${project}/${name}`,
    find: async (path) => {
      const root = await read(path);
      return root && new Fields(root, path.replace(/\/\d+/g, ''));
    },
    list,
    person: async (id) => {
      people ??= new Map((await list('users', 'user')).map((user) => [numberOf(user, 'id'), user.text('username', 255)]));
      return { id, name: people.get(id) || `User ${id}` };
    },
  };
}

/** A whole number; 0 for an invalid one. */
export function numberOf(fields: Fields, name: string): number {
  const value = Number(fields.text(name, 20));
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** The elements of this name within another. */
export function elementsOf(root: Readonly<Record<string, unknown>> | undefined, element: string): Fields[] {
  const found = root?.[element];
  return (found === undefined ? [] : [found].flat()).map((one) => new Fields(one, element));
}

/** The root element, without attributes; empty elements are left out. */
async function rootOf(context: Pick<Context, 'workers'>, text: string): Promise<Record<string, unknown>> {
  try {
    const { '?xml': _, ...document } = await readXml(context, text, MAX_DOCUMENT);
    const root = plain(Object.values(document)[0]);
    return typeof root === 'object' && root !== null && !Array.isArray(root) ? (root as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof WorkersBusyError) throw error;
    throw new SourceError('content', 'the server did not send XML');
  }
}

/** The depth of the document is bounded by the parser. */
function plain(value: unknown): unknown {
  if (value === '') return undefined;
  if (Array.isArray(value)) return value.map(plain).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const children = Object.entries(value).filter(([name]) => !name.startsWith('@'));
  const [first] = children;
  if (!first) return undefined;
  if (children.length === 1 && first[0] === '#text') return first[1];
  // A list with one element is a list too.
  const isList = '@type' in value && value['@type'] === 'array';
  const listed = (child: unknown) => (isList && !Array.isArray(child) ? [child] : child);
  return Object.fromEntries(children.map(([name, child]) => [name, plain(listed(child))]));
}
