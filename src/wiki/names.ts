import { posix } from 'node:path';
import { escapeQuery } from '../code/escape-path.ts';
import { trimEnd } from '../text/trim-end.ts';

/*
 * A page has three names: its title (`Sub/Page & more?`), its name in URLs (`Sub%2FPage-%26-more%3F`) and that of its file
 * (`Sub%2FPage-%26-more%3F.md`). Spaces are dashes in the latter two. A name that contains dashes, or ends like a file, is
 * marked with `.-` at its end and keeps its spaces. A slash never leads into a folder.
 */

const MARK = '.-';
const ENDING = '.md';
/** Names that are reserved for URLs of the web interface. */
const RESERVED: readonly string[] = ['_pages', '_new', '_edit', 'raw'];
/** The name of a page whose title leaves none. */
const UNNAMED = 'unnamed';

/** The name in URLs of a page with this title. */
export function pageOfTitle(title: string): string {
  const name = joined(escapeName(title.trim(), false));
  return name === '' || name === '.' ? UNNAMED : name;
}

/** The name in the requested path, still escaped as the client wrote it. */
export function pageOfPath(segment: string): string {
  return joined(segment).replaceAll('/', '%2F');
}

/** The name in URLs of the page in a file at the root; undefined for other files. */
export function pageOfFile(file: string): string | undefined {
  if (!file.endsWith(ENDING)) return undefined;
  const name = file.slice(0, -ENDING.length);
  const title = unescapeName(name);
  return title === undefined ? undefined : escapeName(title, name.endsWith(MARK));
}

/** The file of a page; a name that ends like a file is the file name itself. */
export function fileOfPage(page: string): string {
  if (page.endsWith(ENDING)) return joined(decoded(page) ?? page);
  const escaped = escapeName(unescapeName(page) ?? unmarked(page), page.endsWith(MARK));
  return escaped.replaceAll('+', ' ') + ENDING;
}

/** The title of a page. */
export function titleOfPage(page: string): string {
  const name = posix.basename(page);
  const shown = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : name;
  const plain = shown === name ? name : (decoded(shown) ?? shown);
  return unescapeName(plain) ?? unmarked(plain);
}

/** Whether a page cannot have this name. */
export function isReserved(page: string): boolean {
  return RESERVED.includes(unescapeName(page) ?? unmarked(page));
}

function escapeName(title: string, isMarked: boolean): string {
  const marked = isMarked || title.includes('-') || title.endsWith(ENDING);
  return escapeQuery(marked ? title + MARK : title.replaceAll(' ', '-'));
}

/** The title of a name; undefined if its escapes are invalid. */
function unescapeName(name: string): string | undefined {
  return decoded(unmarked(name).replaceAll('+', ' '));
}

function unmarked(name: string): string {
  return name.endsWith(MARK) ? name.slice(0, -MARK.length) : name.replaceAll('-', ' ');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A path that leads nowhere but down, with slashes for backslashes. */
function joined(path: string): string {
  if (path === '') return '';
  const cleaned = trimEnd(posix.normalize(`/${path.replaceAll('\\', '/')}`).slice(1), '/');
  return cleaned === '' ? '.' : cleaned;
}
