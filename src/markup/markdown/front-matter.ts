import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { escapeHtml } from '../../text/escape-html.ts';
import { trustedClass } from '../html/trusted.ts';
import { icon } from '../icons.ts';

/** Front matter longer than this many characters is text like any other. */
const MAX_LENGTH = 65_536;
/** Tables within tables of front matter go no deeper. */
const MAX_DEPTH = 20;

/** The rendering options in the front matter of a file. */
export interface FrontMatter {
  /** HTML that shows it above the text; empty when it is to be hidden. */
  html: string;
  /** Where the table of contents goes. */
  contents: 'main' | 'sidebar' | 'none';
  /** Language of the text, or empty. */
  language: string;
  /** Length of the front matter in the text; 0 if its settings are invalid, so that the text shows it, too. */
  length: number;
}

const SEPARATOR = /^ *-{3,} *$/;

/** Reads the YAML between `---` lines at the beginning of `text` (line ends are `\n`); undefined when there is none or it is not YAML. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  if (!/^ *---/.test(text)) return undefined;
  const first = text.indexOf('\n');
  if (first < 0 || !SEPARATOR.test(text.slice(0, first))) return undefined;
  const end = closingLine(text, first + 1);
  if (!end || end.start === first + 1) return undefined;
  const source = text.slice(first + 1, end.start);
  const document = parseDocument(source, { lineCounter: new LineCounter(), maxAliasCount: 0, uniqueKeys: false } as object);
  // Only a mapping is front matter; a scalar between two rules is text.
  if (document.errors.length > 0 || (document.contents && !isMap(document.contents))) return undefined;
  return { ...interpret(document), length: isReadable(document.contents) ? Math.min(end.after, text.length) : 0 };
}

function closingLine(text: string, from: number): { start: number; after: number } | undefined {
  for (let start = from; start < text.length && start < MAX_LENGTH; ) {
    const newline = text.indexOf('\n', start);
    const stop = newline < 0 ? text.length : newline;
    if (SEPARATOR.test(text.slice(start, stop))) return { start, after: stop + 1 };
    start = stop + 1;
  }
  return undefined;
}

function interpret(document: Document): Omit<FrontMatter, 'length'> {
  const root = document.contents;
  const own = isMap(root) ? root.get('gitea') : undefined;
  const settings = isMap(own) ? own : undefined;
  const shown = text(settings ? settings.get('meta') : own)
    .toLowerCase()
    .trim();
  const contents = text(settings?.get('include_toc')) || text(isMap(root) ? root.get('include_toc') : undefined);
  const language = text(settings?.get('lang')) || text(isMap(root) ? root.get('lang') : undefined);
  let html = '';
  if (shown === 'table') html = table(root, 0);
  else if (shown !== 'none' && isMap(root)) html = details(root);
  return { html, contents: contents === 'true' || contents === 'main' ? 'main' : contents === 'false' ? 'none' : 'sidebar', language };
}

/** Whether no key is doubled and the settings are words, as those who wrote them meant. */
function isReadable(root: unknown): boolean {
  if (!isMap(root)) return true;
  const own = root.get('gitea');
  if (isSeq(own) || !hasWords(root, ['include_toc', 'lang'])) return false;
  return !isMap(own) || hasWords(own, ['include_toc', 'lang', 'meta', 'details_icon']);
}

const hasWords = (map: YAMLMap, names: readonly string[]): boolean => hasOwnKeys(map) && !names.some((name) => isCollection(map.get(name)));

function hasOwnKeys({ items }: YAMLMap): boolean {
  const keys = items.flatMap(({ key }) => (isScalar(key) ? [written(key)] : []));
  return new Set(keys).size === keys.length;
}

const text = (value: unknown): string => (value === null || value === undefined || typeof value === 'object' ? '' : String(value));

function details(map: YAMLMap): string {
  const keys = map.items.flatMap((pair) => (isScalar(pair.key) ? [written(pair.key)] : []));
  const summary = `${icon('table', 12)} ${escapeHtml(keys.join(', '))}`;
  return `<details${trustedClass('frontmatter-content')}><summary>${summary}</summary>${table(map, 0)}</details>`;
}

/** A value as it was written, so that dates and numbers stay as they are. */
function written(node: unknown): string {
  if (isAlias(node)) return node.source;
  if (!isScalar(node)) return '';
  return node.source ?? text(node.value);
}

function table(node: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  if (isMap(node)) {
    const heads = node.items.map((pair) => `<th>${table(pair.key, depth + 1)}</th>\n`).join('');
    const values = node.items.map((pair) => `<td>${table(pair.value, depth + 1)}</td>\n`).join('');
    return `<table>\n<thead>\n<tr>\n${heads}</tr>\n</thead>\n<tbody>\n<tr>\n${values}</tr>\n</tbody>\n</table>\n`;
  }
  if (isSeq(node)) {
    const rows = node.items.map((item) => `<tr>\n<td>${table(item, depth + 1)}</td>\n</tr>\n`).join('');
    return `<table>\n<tbody>\n${rows}</tbody>\n</table>\n`;
  }
  return escapeHtml(written(node));
}
