import type { Repository } from '../../access/find-repository.ts';
import type { Settings } from '../../settings.ts';
import { cloneUrl, sshUrl } from '../urls.ts';

/** The values of a template's placeholders, by name. */
export type Expansions = ReadonlyMap<string, string>;

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'].concat([
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]);

/** The forms of a name, by the suffix of the placeholder. */
const WRITINGS: Readonly<Record<string, (text: string) => string>> = {
  SNAKE: (text) => separated(text, '_'),
  KEBAB: (text) => separated(text, '-'),
  CAMEL: (text) => joined(text).replace(/^./u, (first) => first.toLowerCase()),
  PASCAL: joined,
  LOWER: (text) => text.toLowerCase(),
  UPPER: (text) => text.toUpperCase(),
  TITLE: (text) => text.replace(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu, (word) => upperFirst(word.toLowerCase())),
};

/** The values of placeholders in a repository generated from a template. */
export function expansionsFor(settings: Settings, template: Repository, made: Repository, date = new Date()): Expansions {
  const month = date.getMonth();
  const plain: Record<string, string> = {
    YEAR: String(date.getFullYear()),
    MONTH: String(month + 1).padStart(2, '0'),
    DAY: String(date.getDate()).padStart(2, '0'),
  };
  const written: Record<string, string> = { MONTH_ENGLISH: MONTHS[month] ?? '' };
  for (const [word, repository] of [
    ['REPO', made],
    ['TEMPLATE', template],
  ] as const) {
    written[`${word}_NAME`] = repository.name;
    written[`${word}_OWNER`] = repository.owner.name;
    plain[`${word}_DESCRIPTION`] = repository.description;
    plain[`${word}_LINK`] = `/${repository.owner.name}/${repository.name}`;
    plain[`${word}_HTTPS_URL`] = cloneUrl(settings, repository);
    plain[`${word}_SSH_URL`] = sshUrl(settings, repository);
  }
  const all = new Map(Object.entries({ ...plain, ...written }));
  for (const [name, value] of Object.entries(written)) {
    for (const [ending, write] of Object.entries(WRITINGS)) all.set(`${name}_${ending}`, write(value));
  }
  return all;
}

/** Expands `$NAME` and `${NAME}`; unknown names stay, as templates of such services expect. `$$` is a dollar sign. */
export function expand(text: string, expansions: Expansions): string {
  return text.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (match, braced: string | undefined, bare: string | undefined) => {
    if (match === '$$') return '$';
    const name = braced ?? bare ?? '';
    return expansions.get(name) ?? name;
  });
}

/** A path that is valid in a tree and on every disk, whatever was inserted into it: no part leads anywhere else. */
export function safePath(path: string): string {
  return path
    .split('/')
    .map(safeName)
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

function safeName(given: string): string {
  const name = given.replace(/[<>:"/\\|?*\u0000-\u001f]|^(con|prn|aux|nul|com\d|lpt\d)$/gi, '_').trim();
  if (name.startsWith('..')) return `__${name.slice(2)}`;
  return name.toLowerCase() === '.git' ? `_${name.slice(1)}` : name;
}

function separated(text: string, by: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, `$1${by}$2`)
    .replace(/([A-Z]+)([A-Z][a-z])/g, `$1${by}$2`)
    .replace(/[-_\s]+/g, by)
    .toLowerCase();
}

function joined(text: string): string {
  return text
    .split(/[-_\s]+/)
    .map((word) => upperFirst(word === word.toUpperCase() ? word.toLowerCase() : word))
    .join('');
}

function upperFirst(word: string): string {
  return word.replace(/^./u, (first) => first.toUpperCase());
}
