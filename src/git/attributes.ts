import { matchesName, matchesPath } from './glob.ts';
import type { GitPool } from './objects.ts';
import type { GitRepository } from './repository.ts';
import { readTreeRecursive } from './tree-listing.ts';

/** An attribute's value: `true` for set, `false` for unset, or the text that it was given. */
export type AttributeValue = string | boolean;

/** Answers the attributes of a file by its path. */
export type AttributeLookup = (path: string) => ReadonlyMap<string, AttributeValue>;

interface Rule {
  /** Matched with the file's name, or with its whole path below the folder. */
  readonly pattern: string;
  readonly wholePath: boolean;
  /** `undefined` takes back what another rule said. */
  readonly values: readonly (readonly [name: string, value: AttributeValue | undefined])[];
}

/** A larger `.gitattributes` is not read, nor more of them than this. */
const MAX_SIZE = 1024 * 1024;
const MAX_FILES = 1_000;
const MAX_RULES = 10_000;

/** git leaves out longer lines as well. */
const MAX_LINE = 2048;

/** The attributes that the `.gitattributes` files of a tree give: https://git-scm.com/docs/gitattributes */
export async function readAttributes(repository: GitRepository, pool: GitPool, tree: string): Promise<AttributeLookup> {
  const listing = await readTreeRecursive(repository, pool, tree);
  const files = (listing?.entries ?? []).filter(
    ({ name, type, mode }) => name === '.gitattributes' && type === 'blob' && mode !== '120000',
  );
  const folders = new Map<string, readonly Rule[]>();
  let left = MAX_RULES;
  for (const file of files.slice(0, MAX_FILES)) {
    const info = await pool.info(repository, file.oid);
    if (!info || info.size > MAX_SIZE) continue;
    const blob = await pool.read(repository, file.oid, { maxSize: MAX_SIZE });
    const rules = parseAttributes(blob?.data.toString('utf8') ?? '').slice(0, left);
    left -= rules.length;
    folders.set(file.path.slice(0, -'.gitattributes'.length), rules);
  }
  return (path) => lookUp(folders, path);
}

/** Reads a `.gitattributes` file. */
export function parseAttributes(text: string): Rule[] {
  const macros = new Map<string, Rule['values']>([
    [
      'binary',
      [
        ['diff', false],
        ['merge', false],
        ['text', false],
      ],
    ],
  ]);
  const rules: Rule[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const trimmed = line.trimStart();
    if (trimmed === '' || trimmed.startsWith('#') || line.length > MAX_LINE) continue;
    const [, quoted, plain = ''] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))/.exec(trimmed) ?? [];
    const pattern = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    const words = trimmed.slice(quoted === undefined ? plain.length : quoted.length + 2).split(/\s+/);
    const values = words.filter((word) => word !== '').flatMap((word) => readWord(word, macros));
    if (pattern.startsWith('[attr]')) macros.set(pattern.slice('[attr]'.length), values);
    else if (!pattern.startsWith('!') && !pattern.endsWith('/')) {
      rules.push({ pattern: pattern.replace(/^\//, ''), wholePath: pattern.includes('/'), values });
    }
  }
  return rules;
}

function readWord(word: string, macros: ReadonlyMap<string, Rule['values']>): Rule['values'] {
  const [name = '', ...text] = word.split('=');
  if (text.length > 0) return [[name, text.join('=')]];
  if (word.startsWith('-')) return [[word.slice(1), false]];
  if (word.startsWith('!')) return [[word.slice(1), undefined]];
  return [[word, true], ...(macros.get(word) ?? [])];
}

/** Rules of deeper folders, and later ones of the same folder, count for more. */
function lookUp(folders: ReadonlyMap<string, readonly Rule[]>, path: string): ReadonlyMap<string, AttributeValue> {
  const found = new Map<string, AttributeValue>();
  if (folders.size === 0) return found;
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let end = 0; end !== -1; end = path.indexOf('/', end) === -1 ? -1 : path.indexOf('/', end) + 1) {
    const folder = path.slice(0, end);
    for (const rule of folders.get(folder) ?? []) {
      if (!(rule.wholePath ? matchesPath(rule.pattern, path.slice(end)) : matchesName(rule.pattern, name))) continue;
      for (const [attribute, value] of rule.values) {
        if (value === undefined) found.delete(attribute);
        else found.set(attribute, value);
      }
    }
  }
  return found;
}
