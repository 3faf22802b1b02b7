import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';
import { type GlobMatcher, nameMatcher, pathMatcher } from './glob.ts';
import type { PathEntry } from './tree-listing.ts';

/** An attribute's value: `true` for set, `false` for unset, or its text. */
export type AttributeValue = string | boolean;

/** Returns the attributes of a file by its path. */
export type AttributeLookup = (path: string) => ReadonlyMap<string, AttributeValue>;

interface Rule {
  /** Matched with the file's name, or with its whole path below the folder. */
  readonly pattern: string;
  readonly wholePath: boolean;
  readonly matches: GlobMatcher;
  /** `undefined` removes the value of another rule. */
  readonly values: readonly (readonly [name: string, value: AttributeValue | undefined])[];
}

/** The folder of a `.gitattributes` file with a slash at its end, or nothing for the root, and the text of the file. */
export type AttributesFile = readonly [folder: string, text: string];

/** Size limit of a `.gitattributes` file; there is also a limit of their number and of their total size. Further rules are ignored. */
export const MAX_ATTRIBUTES_SIZE = 256 * 1024;
const MAX_FILES = 1_000;
/** Total size limit of the files in bytes. */
export const MAX_ATTRIBUTES_TOTAL = 1024 * 1024;
const MAX_RULES = 2_000;

/** git ignores longer lines as well. */
const MAX_LINE = 2048;

/** The `.gitattributes` files among all entries of a tree. */
export async function readAttributes(repository: GitRepository, pool: GitPool, entries: readonly PathEntry[]): Promise<AttributesFile[]> {
  const files = entries.filter(({ name, type, mode }) => name === '.gitattributes' && type === 'blob' && mode !== '120000');
  const read: AttributesFile[] = [];
  let left = MAX_ATTRIBUTES_TOTAL;
  for (const file of files.slice(0, MAX_FILES)) {
    const info = await pool.info(repository, file.oid);
    if (!info || info.size > Math.min(MAX_ATTRIBUTES_SIZE, left)) continue;
    left -= info.size;
    const blob = await pool.read(repository, file.oid, { maxSize: MAX_ATTRIBUTES_SIZE });
    if (blob) read.push([file.path.slice(0, -'.gitattributes'.length), blob.data.toString('utf8')]);
  }
  return read;
}

/** Returns the attributes that some files define: https://git-scm.com/docs/gitattributes */
export function attributeLookup(files: readonly AttributesFile[]): AttributeLookup {
  const folders = new Map<string, readonly Rule[]>();
  let left = MAX_RULES;
  let longest = 0;
  for (const [folder, text] of files) {
    const rules = parseAttributes(text, left);
    left -= rules.length;
    longest = Math.max(longest, folder.length);
    folders.set(folder, rules);
  }
  return (path) => lookUp(folders, longest, path);
}

/**
 * Parses a `.gitattributes` file.
 * @param maxRules later rules are ignored
 */
export function parseAttributes(text: string, maxRules = MAX_RULES): Rule[] {
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
    if (rules.length >= maxRules) break;
    const trimmed = line.trimStart();
    if (trimmed === '' || trimmed.startsWith('#') || line.length > MAX_LINE) continue;
    const [, quoted, plain = ''] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))/.exec(trimmed) ?? [];
    const pattern = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    const words = trimmed.slice(quoted === undefined ? plain.length : quoted.length + 2).split(/\s+/);
    const values = words.filter((word) => word !== '').flatMap((word) => readWord(word, macros));
    if (pattern.startsWith('[attr]')) macros.set(pattern.slice('[attr]'.length), values);
    else if (!pattern.startsWith('!') && !pattern.endsWith('/')) {
      const bare = pattern.replace(/^\//, '');
      const wholePath = pattern.includes('/');
      rules.push({ pattern: bare, wholePath, matches: wholePath ? pathMatcher(bare) : nameMatcher(bare), values });
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

/** Rules of deeper folders, and later ones of the same folder, take precedence. */
function lookUp(folders: ReadonlyMap<string, readonly Rule[]>, longest: number, path: string): ReadonlyMap<string, AttributeValue> {
  const found = new Map<string, AttributeValue>();
  if (folders.size === 0) return found;
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let end = 0; end <= longest; end = path.indexOf('/', end) + 1) {
    for (const { wholePath, matches, values } of folders.get(path.slice(0, end)) ?? []) {
      if (!matches(wholePath ? path.slice(end) : name)) continue;
      for (const [attribute, value] of values) {
        if (value === undefined) found.delete(attribute);
        else found.set(attribute, value);
      }
    }
    if (!path.includes('/', end)) break;
  }
  return found;
}
