import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';
import { findEntry } from './trees.ts';

/** A repository within a repository, as `.gitmodules` describes it. */
export interface Submodule {
  readonly name: string;
  readonly path: string;
  /** As written: any URL that git accepts, also a relative one. It is not trusted. */
  readonly url: string;
  readonly branch: string | undefined;
}

/** Size limit; a larger `.gitmodules` is not read. */
const MAX_SIZE = 1024 * 1024;

/** The submodules in a tree's `.gitmodules`, by path; none if that is missing or too large. */
export async function readSubmodules(repository: GitRepository, pool: GitPool, tree: string): Promise<ReadonlyMap<string, Submodule>> {
  const entry = await findEntry(repository, pool, tree, '.gitmodules');
  const info = entry?.type === 'blob' && entry.mode !== '120000' ? await pool.info(repository, entry.oid) : undefined;
  if (!entry || !info || info.size > MAX_SIZE) return new Map();
  const compute = async () => {
    const blob = await pool.read(repository, entry.oid, { maxSize: MAX_SIZE });
    return parseSubmodules(blob?.data.toString('utf8') ?? '');
  };
  return pool.cache.remember(repository, `submodules ${entry.oid}`, (found) => 100 + 500 * found.size, compute);
}

/** Parses a `.gitmodules` file: https://git-scm.com/docs/gitmodules. Entries without path or URL are left out. */
export function parseSubmodules(text: string): Map<string, Submodule> {
  const sections = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of joinLines(text)) {
    const header = /^\s*\[\s*submodule\s+"((?:[^"\\]|\\.)*)"\s*\]\s*(?:[#;].*)?$/.exec(line);
    if (header) {
      const name = (header[1] ?? '').replace(/\\(.)/g, '$1');
      current = sections.get(name) ?? new Map();
      sections.set(name, current);
    } else if (/^\s*\[/.test(line)) current = undefined;
    else {
      const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/.exec(line) ?? [];
      if (key && current) current.set(key.toLowerCase(), parseValue(value));
    }
  }
  const submodules = new Map<string, Submodule>();
  for (const [name, values] of sections) {
    const [path, url] = [values.get('path'), values.get('url')];
    if (path && url) submodules.set(path, { name, path, url, branch: values.get('branch') });
  }
  return submodules;
}

/** Joins each line that ends with a backslash with the next one. */
function joinLines(text: string): string[] {
  return text.replace(/\\\r?\n/g, '').split(/\r?\n/);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Removes quotes, escapes, surrounding spaces and a comment after a value: https://git-scm.com/docs/git-config#_values */
function parseValue(text: string): string {
  let value = '';
  let spaces = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '#' || char === ';')) break;
    else if (!quoted && (char === ' ' || char === '\t')) {
      if (value !== '') spaces += char;
    } else {
      const escaped = char === '\\' ? text.charAt(++at) : undefined;
      value += spaces + (escaped === undefined ? char : (ESCAPES[escaped] ?? escaped));
      spaces = '';
    }
  }
  return value;
}
