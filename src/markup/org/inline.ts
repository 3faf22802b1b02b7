import { escapeHtml } from '../../text/escape-html.ts';
import { parseHtml, textContent } from '../html/tree.ts';
import type { OrgDocument } from './document.ts';

const EMPHASIS: Record<string, readonly [string, string]> = {
  '*': ['<strong>', '</strong>'],
  '/': ['<em>', '</em>'],
  '+': ['<del>', '</del>'],
  _: ['<span>', '</span>'],
  '~': ['<code>', '</code>'],
  '=': ['<code>', '</code>'],
};

const IMAGE = /\.(png|gif|jpe?g|svg|tiff?|webp|x[bp]m|p[bgpn]m)$/i;
const VIDEO = /\.(webm|mp4)$/i;
const TIMESTAMP = /<(\d{4}-\d{2}-\d{2})( [A-Za-z]+)?( \d{2}:\d{2})?( \+\d+[dwmy])?>/y;
const FOOTNOTE = /\[fn:([\w-]*)(?::([^\]]*))?\]/y;
const STATISTIC = /\[(\d+\/\d+|\d+%)\]/y;
const SCRIPT = /[_^]\{([^{}\n]+)\}/y;
const EXPORT = /@@(\w+):([^@]*)@@/y;
const SOURCE = /src_(\w+)(?:\[[^\]\n]*\])?\{([^}\n]*)\}/y;
const MACRO = /\{\{\{([\w-]+)(?:\(([^)\n]*)\))?\}\}\}/y;
const AUTOLINK = /(?:https?|ftp|file):\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+/y;
const SPECIAL = /[\^_@*/+=~[{<\\$hfs]/g;

/** How deep marks may stand within marks. */
const MAX_DEPTH = 20;

/** Text of a paragraph, headline or cell as HTML: emphasis, links, footnotes, dates, scripts, entities. */
export function inlineHtml(text: string, document: OrgDocument, depth = 0): string {
  const entities = document.option('e') !== 'nil';
  const plain = entities ? withEntities : escapeHtml;
  if (depth > MAX_DEPTH) return plain(text);
  let html = '';
  let written = 0;
  SPECIAL.lastIndex = 0;
  for (let special = SPECIAL.exec(text); special; special = SPECIAL.exec(text)) {
    const at = special.index;
    const found = object(text, at, document, depth);
    if (found) {
      html += plain(text.slice(written, at)) + found.html;
      written = found.end;
    }
    SPECIAL.lastIndex = found ? found.end : at + 1;
  }
  return html + plain(text.slice(written));
}

interface Found {
  html: string;
  end: number;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function object(text: string, at: number, document: OrgDocument, depth: number): Found | undefined {
  switch (text[at]) {
    case '[':
      return text[at + 1] === '[' ? link(text, at, document, depth) : footnote(text, at, document, depth);
    case '<':
      return timestamp(text, at);
    case '{':
      return macro(text, at, document, depth);
    case '@': {
      const match = matchAt(EXPORT, text, at);
      return match ? { html: match[1]?.toLowerCase() === 'html' ? (match[2] ?? '') : '', end: EXPORT.lastIndex } : undefined;
    }
    case '\\':
      return lineBreakOrFormula(text, at);
    case '$':
      return formula(text, at, text[at + 1] === '$' ? '$$' : '$', text[at + 1] === '$' ? '$$' : '$');
    case 'h':
    case 'f':
      return autolink(text, at);
    case 's':
      return inlineSource(text, at);
    case '_':
    case '^': {
      const match = matchAt(SCRIPT, text, at);
      if (match) {
        const tag = text[at] === '_' ? 'sub' : 'sup';
        return { html: `<${tag}>${withEntities(match[1] ?? '')}</${tag}>`, end: SCRIPT.lastIndex };
      }
      return text[at] === '_' ? emphasis(text, at, document, depth) : undefined;
    }
    default:
      return emphasis(text, at, document, depth);
  }
}

const before = (character: string | undefined): boolean => character === undefined || /[\s\-({'"]/.test(character);
const after = (character: string | undefined): boolean => character === undefined || /[\s\-.,:!?;'")}[\\]/.test(character);
const border = (character: string | undefined): boolean => character !== undefined && !/\s/.test(character);

function emphasis(text: string, at: number, document: OrgDocument, depth: number): Found | undefined {
  const mark = text[at] ?? '';
  const tags = EMPHASIS[mark];
  if (!tags || !before(text[at - 1]) || !border(text[at + 1])) return undefined;
  // Emphasis reaches over one end of line.
  const first = text.indexOf('\n', at);
  const second = first < 0 ? -1 : text.indexOf('\n', first + 1);
  const limit = second < 0 ? text.length : second;
  for (let end = text.indexOf(mark, at + 2); end >= 0 && end < limit; end = text.indexOf(mark, end + 1)) {
    if (!border(text[end - 1]) || !after(text[end + 1])) continue;
    const content = text.slice(at + 1, end);
    const inner = mark === '~' || mark === '=' ? escapeHtml(content) : inlineHtml(content, document, depth + 1);
    // The scan of the caller goes on behind this mark.
    return { html: tags[0] + inner + tags[1], end: end + 1 };
  }
  return undefined;
}

function link(text: string, at: number, document: OrgDocument, depth: number): Found | undefined {
  const end = text.indexOf(']]', at);
  if (end < 0 || text[at + 2] === '[') return undefined;
  const [target = '', description, ...more] = text.slice(at + 2, end).split('][');
  if (target.includes('\n')) return undefined;
  return { html: linkHtml(document.expandLink(target), more.length ? undefined : description, document, depth), end: end + 2 };
}

function linkHtml(target: string, description: string | undefined, document: OrgDocument, depth: number): string {
  const strip = (url: string) => url.replace(/^file:/, '');
  const url = escapeHtml(strip(target));
  if (description === undefined) {
    const local = /^(file|https?):/.test(target) || !/^[\w-]+:/.test(target);
    if (local && IMAGE.test(target)) return `<img src="${url}" alt="${url}">`;
    if (local && VIDEO.test(target)) return `<video src="${url}">${url}</video>`;
    return `<a href="${url}">${url}</a>`;
  }
  if (/^(file|https?):/.test(description)) {
    const source = escapeHtml(strip(description));
    if (IMAGE.test(description)) return `<a href="${url}"><img src="${source}" alt="${source}"></a>`;
    if (VIDEO.test(description)) return `<a href="${url}"><video src="${source}">${source}</video></a>`;
  }
  return `<a href="${url}">${inlineHtml(description, document, depth + 1)}</a>`;
}

function autolink(text: string, at: number): Found | undefined {
  if (/[a-z]/i.test(text[at - 1] ?? '')) return undefined;
  const match = matchAt(AUTOLINK, text, at);
  if (!match) return undefined;
  const url = escapeHtml(match[0].replace(/^file:/, ''));
  const html = IMAGE.test(url)
    ? `<img src="${url}" alt="${url}">`
    : VIDEO.test(url)
      ? `<video src="${url}">${url}</video>`
      : `<a href="${url}">${url}</a>`;
  return { html, end: AUTOLINK.lastIndex };
}

function footnote(text: string, at: number, document: OrgDocument, depth: number): Found | undefined {
  const statistic = matchAt(STATISTIC, text, at);
  if (statistic) return { html: `<code>[${statistic[1]}]</code>`, end: STATISTIC.lastIndex };
  const match = matchAt(FOOTNOTE, text, at);
  if (!match || (!match[1] && !match[2])) return undefined;
  const { lastIndex } = FOOTNOTE;
  if (document.option('f') === 'nil') return { html: '', end: lastIndex };
  const number = document.refer(match[1] ?? '', match[2] ? `<p>${inlineHtml(match[2], document, depth + 1)}</p>\n` : undefined);
  return { html: `<sup><a id="footnote-reference-${number}" href="#footnote-${number}">${number}</a></sup>`, end: lastIndex };
}

function timestamp(text: string, at: number): Found | undefined {
  const match = matchAt(TIMESTAMP, text, at);
  const date = match && new Date(`${match[1]}T00:00:00Z`);
  if (!match || !date || Number.isNaN(date.getTime())) return undefined;
  const day = date.toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
  return { html: `<span>&lt;${match[1]} ${day}${match[3] ?? ''}${match[4] ?? ''}&gt;</span>`, end: TIMESTAMP.lastIndex };
}

function macro(text: string, at: number, document: OrgDocument, depth: number): Found | undefined {
  const match = matchAt(MACRO, text, at);
  if (!match) return undefined;
  const end = MACRO.lastIndex;
  const body = document.macros.get(match[1] ?? '');
  // What is not defined stands as it is written.
  if (body === undefined) return { html: escapeHtml(match[0]), end };
  const values = (match[2] ?? '').split(',');
  const expanded = body.replace(/\$(\d)/g, (whole, index: string) => values[Number(index) - 1] ?? whole);
  return { html: inlineHtml(document.spend(expanded), document, depth + 1), end };
}

function lineBreakOrFormula(text: string, at: number): Found | undefined {
  if (text[at + 1] === '\\' && at > 0 && text[at - 1] !== '\n') {
    const blanks = /[ \t]*\n/y;
    if (matchAt(blanks, text, at + 2)) return { html: '<br>\n', end: blanks.lastIndex };
    return undefined;
  }
  const environment = text.startsWith('\\begin{', at) ? /^\w{1,40}(?=\})/.exec(text.slice(at + 7, at + 48))?.[0] : undefined;
  if (environment) return formula(text, at, `\\begin{${environment}}`, `\\end{${environment}}`);
  if (text[at + 1] === '(') return formula(text, at, '\\(', '\\)');
  if (text[at + 1] === '[') return formula(text, at, '\\[', '\\]');
  return undefined;
}

/** Formulas stay as they are, their marks too: nothing in them is emphasis. */
function formula(text: string, at: number, opening: string, closing: string): Found | undefined {
  const end = text.indexOf(closing, at + opening.length);
  return end > at + opening.length ? { html: escapeHtml(text.slice(at, end + closing.length)), end: end + closing.length } : undefined;
}

function inlineSource(text: string, at: number): Found | undefined {
  if (at > 0 && !/\s/.test(text[at - 1] ?? '')) return undefined;
  const match = matchAt(SOURCE, text, at);
  return match ? { html: `<div>\n<pre><code>${escapeHtml(match[2] ?? '')}</code></pre>\n</div>`, end: SOURCE.lastIndex } : undefined;
}

const characters = new Map<string, string>();

/** Escaped text with dashes, dots and entities like `\alpha` set. */
function withEntities(text: string): string {
  const set = text
    .replace(/---/g, '—')
    .replace(/--/g, '–')
    .replace(/\.\.\./g, '…')
    .replace(/\\([A-Za-z]{2,31}\d{0,2})(?:\{\})?/g, (whole, name: string) => entity(name) ?? whole);
  return escapeHtml(set);
}

/** The character of a name; Org's names are nearly all those of HTML. */
function entity(name: string): string | undefined {
  let character = characters.get(name);
  if (character === undefined) {
    character = textContent(parseHtml(`&${name};`));
    if (character.startsWith('&')) character = '';
    if (characters.size < 500) characters.set(name, character);
  }
  return character || undefined;
}
