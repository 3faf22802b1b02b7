import { escapeHtml } from '../../text/escape-html.ts';
import { formatUrl, parseUrl } from '../url.ts';
import { COLOURED, ELEMENTS, GLOBAL, SKIPPED, URLS, type ValueRule, WITHOUT_ATTRIBUTES } from './policy.ts';
import { type HtmlElement, type HtmlNode, type HtmlParent, type HtmlTemplate, isElement, isText, MAX_DEPTH, textContent } from './tree.ts';
import { TRUSTED_CLASS } from './trusted.ts';

/** How to write sanitized HTML. */
export interface SanitizeOptions {
  /** Whether classes of our own renderers are retained. */
  classes: boolean;
  /** When given, the only schemes a link may have besides http, https and mailto. */
  urlSchemes?: readonly string[] | undefined;
  /** If given, the only elements that are retained. */
  only?: ReadonlySet<string> | undefined;
}

const VOID = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'source', 'track', 'wbr']);
const FORBIDDEN_SCHEMES = new Set(['javascript', 'vbscript', 'data']);
const COLOUR = /^(#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{1,30}|(rgb|hsl)a?\([\d\s.,%/-]{1,60}\))$/i;

/**
 * The children of `root` as HTML that is safe in any page: only the elements and attributes of policy.ts, no address that runs
 * something. It is written from the parsed tree, every text escaped, and no element with raw text is allowed, so that however a
 * browser nests what it reads, nothing but allowed tags can come out of it.
 */
export function sanitize(root: HtmlParent, options: SanitizeOptions): string {
  const out: string[] = [];
  for (const child of root.childNodes) write(child, 0, options, out);
  return out.join('');
}

function write(node: HtmlNode, depth: number, options: SanitizeOptions, out: string[]): void {
  if (isText(node)) {
    out.push(escapeHtml(node.value));
    return;
  }
  if (!isElement(node)) return;
  const name = node.tagName.toLowerCase();
  if (SKIPPED.has(name)) return;
  if (depth > MAX_DEPTH) {
    out.push(escapeHtml(textContent(node)));
    return;
  }
  const kept = (options.only?.has(name) ?? true) && allowedElement(node, name);
  const attributes = kept ? sanitizeAttributes(node.attrs, name, options) : undefined;
  const shown = attributes !== undefined && (attributes !== '' || WITHOUT_ATTRIBUTES.has(name));
  if (shown) out.push(`<${name}${attributes}${VOID.has(name) && options.classes ? '/>' : '>'}`);
  if (shown && name === 'pre' && startsWithNewline(node)) out.push('\n');
  const within = 'content' in node ? (node as HtmlTemplate).content : node;
  for (const child of within.childNodes) write(child, depth + 1, options, out);
  if (shown && !VOID.has(name)) out.push(`</${name}>`);
}

/** A drawing may only contain paths, and paths are only allowed in drawings: other foreign content changes how browsers parse the rest. */
function allowedElement(node: HtmlElement, name: string): boolean {
  if (!ELEMENTS.has(name)) return false;
  const svg = node.namespaceURI.endsWith('/svg');
  if (name === 'svg') return svg && (!isElement(node.parentNode) || node.parentNode.tagName !== 'svg');
  if (name === 'path') return svg && isElement(node.parentNode) && node.parentNode.tagName === 'svg';
  return node.namespaceURI.endsWith('/xhtml');
}

function startsWithNewline(node: HtmlElement): boolean {
  const first = node.childNodes[0];
  return first !== undefined && isText(first) && first.value.startsWith('\n');
}

/** The allowed attributes of an element as source, each with a space before it; undefined for an element that is to give way. */
export function sanitizeAttributes(attributes: HtmlElement['attrs'], tag: string, options: SanitizeOptions): string | undefined {
  const rules = ELEMENTS.get(tag);
  const urlAttribute = URLS.get(tag);
  const clean: [name: string, value: string][] = [];
  for (const { name, value } of attributes) {
    const key = name.toLowerCase();
    if (key === TRUSTED_CLASS) {
      if (options.classes) clean.push(['class', value]);
      continue;
    }
    let kept: string | undefined = value;
    if (key === 'style') kept = COLOURED.has(tag) ? sanitizeStyle(value) : undefined;
    else if (!matches(rules?.get(key), value) && !matches(GLOBAL.get(key), value)) kept = undefined;
    else if (key === urlAttribute) kept = sanitizeUrl(value, options.urlSchemes);
    if (kept !== undefined) clean.push([key, kept]);
  }
  // Any other input takes data; a check box shows a state.
  if (tag === 'input' && !clean.some(([name]) => name === 'type')) return undefined;
  if (clean.some(([name]) => name === 'href')) markLink(clean);
  let source = '';
  for (const [name, value] of clean) source += ` ${name}="${escapeHtml(value)}"`;
  return source;
}

/** Search engines do not follow links that users wrote, and a page opened in a new window gets no hold of this one. */
function markLink(attributes: [name: string, value: string][]): void {
  let rel = attributes.find(([name]) => name === 'rel');
  if (!rel) {
    rel = ['rel', ''];
    attributes.push(rel);
  }
  const blank = attributes.some(([name, value]) => name === 'target' && value === '_blank');
  for (const word of blank ? ['nofollow', 'noopener'] : ['nofollow']) if (!rel[1].includes(word)) rel[1] = `${rel[1]} ${word}`.trim();
}

function matches(rule: ValueRule | undefined, value: string): boolean {
  return rule === true || (rule?.test(value) ?? false);
}

/** The normalized URL; undefined if it is invalid, or if its scheme runs code or is not allowed. */
function sanitizeUrl(value: string, schemes: readonly string[] | undefined): string | undefined {
  const trimmed = value.trim();
  if (/\s/.test(trimmed)) return undefined;
  const url = parseUrl(trimmed);
  if (!url) return undefined;
  if (url.scheme) {
    const usual = url.scheme === 'http' || url.scheme === 'https' || url.scheme === 'mailto';
    if (FORBIDDEN_SCHEMES.has(url.scheme) || (schemes?.length && !usual && !schemes.includes(url.scheme))) return undefined;
  }
  return formatUrl(url) || undefined;
}

function sanitizeStyle(value: string): string | undefined {
  const kept: string[] = [];
  for (const declaration of value.split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const colour = declaration.slice(colon + 1).trim();
    if ((property === 'color' || property === 'background-color') && COLOUR.test(colour)) kept.push(`${property}: ${colour}`);
  }
  return kept.length ? kept.join('; ') : undefined;
}
