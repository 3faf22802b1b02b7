import { escapeHtml } from '../../text/escape-html.ts';
import { RenderLimitError } from '../deadline.ts';
import { highlight } from '../highlight.ts';
import { trustedClass } from '../html/trusted.ts';
import { OrgDocument } from './document.ts';
import { footnotesHtml, outlineHtml, titleHtml } from './frame.ts';
import { readHeadline } from './headline.ts';
import { inlineHtml } from './inline.ts';
import { isBlank, type Line, readLine } from './lines.ts';
import { tableHtml } from './table.ts';

/** Blocks within blocks go no deeper. */
const MAX_NESTING = 100;

/** An Org document (https://orgmode.org/worg/org-syntax.html) as HTML that is not yet sanitized. Files that it names are not read. */
export function parseOrg(text: string, highlightMaxSize?: number): string {
  const document = new OrgDocument(highlightMaxSize);
  const lines = text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => readLine(line.replace(/\t/g, '        ')));
  if (lines.length > 0 && isBlank(lines.at(-1))) lines.pop();
  const body = new OrgParser(lines, document).blocks(0, lines.length, 0);
  return titleHtml(document) + outlineHtml(document) + body + footnotesHtml(document);
}

class OrgParser {
  readonly #lines: Line[];
  readonly #document: OrgDocument;
  #nesting = 0;

  constructor(lines: Line[], document: OrgDocument) {
    this.#lines = lines;
    this.#document = document;
  }

  /** The lines from `start` to `end` (excluded), which stand `base` columns in. */
  blocks(start: number, end: number, base: number): string {
    if (++this.#nesting > MAX_NESTING) throw new RenderLimitError('nested too deep');
    let html = '';
    for (let i = start; i < end; ) {
      const block = this.#block(i, end, base);
      html += block.html;
      i = block.next;
    }
    this.#nesting--;
    return html;
  }

  #block(i: number, end: number, base: number): Block {
    const line = this.#lines[i] as Line;
    switch (line.kind) {
      case 'headline':
        return this.#headline(i, end, line);
      case 'block':
        return this.#delimited(i, end, line) ?? this.#paragraph(i, end, base);
      case 'drawer':
        return this.#drawer(i, end, line, base);
      case 'list':
        return this.#list(i, end, line);
      case 'table': {
        const next = this.#while(i, end, ({ kind }) => kind === 'table');
        const rows = this.#lines.slice(i, next).map(({ content }) => content);
        return { html: tableHtml(rows, (cell) => inlineHtml(cell, this.#document)), next };
      }
      case 'example': {
        const next = this.#while(i, end, ({ kind }) => kind === 'example');
        const text = this.#lines.slice(i, next).map(({ content }) => `${escapeHtml(content)}\n`);
        return { html: `<pre>\n${text.join('')}</pre>\n`, next };
      }
      case 'rule':
        return { html: '<hr>\n', next: i + 1 };
      case 'keyword':
        return this.#keyword(i, end, line, base);
      case 'footnote':
        return this.#footnote(i, end, line);
      case 'results':
      case 'comment':
      case 'drawerEnd':
        return { html: '', next: i + 1 };
      default:
        return this.#environment(i, end, line) ?? this.#paragraph(i, end, base);
    }
  }

  /** A formula in lines of its own, from `\\begin{…}` to `\\end{…}`; nothing in it is markup. */
  #environment(start: number, end: number, line: Line): Block | undefined {
    const name = /^\\begin\{([^}]+)\}\s*$/.exec(line.content)?.[1];
    if (name === undefined) return undefined;
    const close = this.#while(start, end, ({ source }) => source.trim() !== `\\end{${name}}`);
    if (close === end) return undefined;
    const lines = this.#lines.slice(start, close + 1).map(({ source }) => escapeHtml(source.trim()));
    return { html: `${lines.join('\n')}\n`, next: close + 1 };
  }

  #while(start: number, end: number, holds: (line: Line) => boolean): number {
    let i = start;
    while (i < end && holds(this.#lines[i] as Line)) i++;
    return i;
  }

  /** A blank line belongs to the paragraph that follows. */
  #paragraph(start: number, end: number, base: number): Block {
    const next = this.#while(start + 1, end, (line) => line.kind === 'text' && !isBlank(line));
    const lines = this.#lines
      .slice(start, next)
      .map(
        (line, index) =>
          (index ? ' '.repeat(Math.max(0, line.indent - base)) : '') + (line.kind === 'text' ? line.content : line.source.trim()),
      );
    if (next === start + 1 && isBlank(this.#lines[start])) return { html: '', next };
    return { html: `<p>${inlineHtml(lines.join('\n'), this.#document)}</p>\n`, next, paragraph: true };
  }

  #headline(start: number, end: number, line: Line): Block {
    const level = (line.parts[1] ?? '').length;
    const next = this.#while(start + 1, end, (other) => other.kind !== 'headline' || (other.parts[1] ?? '').length > level);
    const document = this.#document;
    const heading = readHeadline(line.content, document);
    const properties = this.#properties(start + 1, next);
    const hidden = (document.settings.get('EXCLUDE_TAGS') ?? '').split(/\s+/);
    if (heading.comment || heading.tags.some((tag) => hidden.includes(tag))) return { html: '', next };
    document.headlines++;
    const id = escapeHtml(properties.id ?? `headline-${document.headlines}`);
    const title = inlineHtml(heading.title, document);
    document.outline.push({ level, id, title: title.replace(/<\/?a[^>]*>/g, '') });
    const tag = `h${Math.min(level + 1, 8)}`;
    let html = `<div id="outline-container-${id}">\n<${tag} id="${id}">\n`;
    if (heading.status && document.option('todo') !== 'nil') html += `<span>${escapeHtml(heading.status)}</span>\n`;
    if (heading.priority && document.option('pri') !== 'nil') html += `<span>[${heading.priority}]</span>\n`;
    html += title;
    if (heading.tags.length && document.option('tags') !== 'nil') {
      html += `\u00a0\u00a0\u00a0<span>${heading.tags.map((name) => `<span>${escapeHtml(name)}</span>`).join('\u00a0')}</span>`;
    }
    const content = this.blocks(properties.next, next, 0);
    html += `\n</${tag}>\n${content && `<div id="outline-text-${id}">\n${content}</div>\n`}</div>\n`;
    return { html, next };
  }

  /** The property drawer that begins at `start`, if one does, and where the text goes on. */
  #properties(start: number, end: number): { id?: string | undefined; next: number } {
    if (this.#lines[start]?.kind !== 'drawer' || this.#lines[start]?.content.toUpperCase() !== 'PROPERTIES' || start >= end)
      return { next: start };
    const close = this.#while(start + 1, end, ({ kind }) => kind !== 'drawerEnd');
    if (close === end) return { next: start };
    const id = this.#lines.slice(start, close).map(({ source }) => /^\s*:CUSTOM_ID:\s+(\S.*)$/i.exec(source)?.[1]?.trim());
    return { id: id.find(Boolean), next: close + 1 };
  }

  /** The line that ends the delimited block of line `start`. */
  #closing(start: number, end: number, line: Line): number | undefined {
    const name = line.content.toUpperCase();
    const close = this.#while(start + 1, end, (other) => other.kind !== 'blockEnd' || other.content.toUpperCase() !== name);
    return close === end ? undefined : close;
  }

  #delimited(start: number, end: number, line: Line): Block | undefined {
    const name = line.content.toUpperCase();
    const close = this.#closing(start, end, line);
    if (close === undefined) return undefined;
    const next = close + 1;
    const parameters = (line.parts[3] ?? '').trim().split(/\s+/);
    const exports = parameters[parameters.indexOf(':exports') + 1];
    const raw = () =>
      trimBlock(this.#lines.slice(start + 1, close).map(({ source }) => source.slice(Math.min(line.indent, source.search(/\S|$/)))));
    switch (name) {
      case 'SRC': {
        const language = parameters[0]?.toLowerCase() || 'text';
        const code = `<div>\n${this.#code(language === 'org' ? unescapeLines(raw()) : raw(), language)}\n</div>\n`;
        const result = this.#result(next, end);
        const shown = parameters.includes(':exports') ? exports : 'both';
        const html = (shown === 'results' || shown === 'none' ? '' : code) + (shown === 'code' || shown === 'none' ? '' : result.html);
        return { html, next: result.next };
      }
      case 'EXAMPLE':
        return { html: `<pre>\n${escapeHtml(unescapeLines(raw()))}\n</pre>\n`, next };
      case 'EXPORT':
        return { html: parameters[0]?.toLowerCase() === 'html' ? `${raw()}\n` : '', next };
      case 'COMMENT':
        return { html: '', next };
      default: {
        const tag = name === 'QUOTE' ? 'blockquote' : 'div';
        return { html: `<${tag}>\n${this.blocks(start + 1, close, line.indent)}</${tag}>\n`, next };
      }
    }
  }

  /** What running the code before `start` gave, if it is written there. */
  #result(start: number, end: number): Block {
    const mark = this.#while(start, end, isBlank);
    if (mark === end || this.#lines[mark]?.kind !== 'results') return { html: '', next: start };
    return mark + 1 < end ? this.#block(mark + 1, end, 0) : { html: '', next: mark + 1 };
  }

  #code(source: string, language: string): string {
    const document = this.#document;
    let content: string | undefined;
    if (source.length <= Math.min(document.highlightMaxSize, document.highlightBudget)) {
      content = highlight(source, language);
      if (content !== undefined) document.highlightBudget -= source.length;
    }
    return `<pre><code${trustedClass(`chroma language-${language}`)}>${content ?? escapeHtml(source)}</code></pre>`;
  }

  #drawer(start: number, end: number, line: Line, base: number): Block {
    const close = this.#while(start + 1, end, ({ kind }) => kind !== 'drawerEnd' && kind !== 'headline');
    const closed = this.#lines[close]?.kind === 'drawerEnd' && close < end;
    const html = line.content.toUpperCase() === 'PROPERTIES' && closed ? '' : this.blocks(start + 1, close, base);
    return { html, next: closed ? close + 1 : close };
  }

  #list(start: number, end: number, first: Line): Block {
    const ordered = isOrdered(first);
    const described = /\s::(\s|$)/.test(first.content);
    const tag = described ? 'dl' : ordered ? 'ol' : 'ul';
    let html = `<${tag}>\n`;
    let i = start;
    while (i < end) {
      const line = this.#lines[i] as Line;
      if (line.kind !== 'list' || line.indent !== first.indent || isOrdered(line) !== ordered) break;
      const item = this.#item(i, end, line, tag);
      html += item.html;
      i = item.next;
    }
    return { html: `${html}</${tag}>\n`, next: i };
  }

  #item(start: number, end: number, line: Line, tag: 'dl' | 'ol' | 'ul'): Block {
    const bullet = line.parts[2] ?? '';
    const inside = line.indent + bullet.length;
    let content = line.content;
    const value = tag === 'ol' ? /^\[@(\d+)\]\s/.exec(content) : null;
    if (value) content = content.slice(value[0].length);
    const status = /^\[([ X-])\]\s/.exec(content);
    if (status) content = content.slice(status[0].length);
    const term = tag === 'dl' ? /^(.*?)\s::(?:\s+|$)/.exec(content) : null;
    if (term) content = content.slice(term[0].length);
    let next = start + 1;
    // Two blank lines end an item, and so does a line that stands no further in than its bullet.
    while (next < end) {
      const other = this.#lines[next] as Line;
      if (isBlank(other) ? isBlank(this.#lines[next - 1]) && next > start + 1 : other.indent < inside) break;
      // A delimited block that begins in the item ends in it, however its lines stand.
      next = other.kind === 'block' ? (this.#closing(next, end, other) ?? next) + 1 : next + 1;
    }
    this.#lines[start] = readLine(' '.repeat(inside) + content);
    const body = this.#itemBody(start, next, inside + 1);
    const classes = status ? ` class="${{ ' ': 'unchecked', '-': 'indeterminate', X: 'checked' }[status[1] ?? ''] ?? ''}"` : '';
    if (tag === 'dl') {
      const name = term ? inlineHtml(term[1] ?? '', this.#document) : '?';
      return { html: `<dt${classes}>\n${name}\n</dt>\n<dd>${body}</dd>\n`, next };
    }
    return { html: `<li${value ? ` value="${value[1]}"` : ''}${classes}>${body}</li>\n`, next };
  }

  /** The content of an item: paragraphs alone are written without their tags. */
  #itemBody(start: number, end: number, base: number): string {
    if (++this.#nesting > MAX_NESTING) throw new RenderLimitError('nested too deep');
    const blocks: Block[] = [];
    for (let i = start; i < end; ) {
      const block = this.#block(i, end, base);
      if (block.html) blocks.push(block);
      i = block.next;
    }
    this.#nesting--;
    if (blocks.every(({ paragraph }) => paragraph)) return blocks.map(({ html }) => html.slice(3, -5)).join('\n');
    return `\n${blocks.map(({ html }) => html).join('')}`;
  }

  #keyword(start: number, end: number, line: Line, base: number): Block {
    const key = line.content.toUpperCase();
    const value = (line.parts[3] ?? '').trim();
    const document = this.#document;
    const [name = '', rest] = value.split(/\s+(.*)/s);
    if (key === 'MACRO' && rest) document.macros.set(name, rest);
    else if (key === 'LINK' && rest) document.links.set(name, rest);
    else if (key === 'HTML') return { html: `${value}\n`, next: start + 1 };
    else if (key === 'CAPTION' || key === 'ATTR_HTML') {
      return this.#affiliated(start, end, base) ?? { html: '', next: start + 1 };
    } else document.settings.set(key, document.settings.has(key) && key === 'OPTIONS' ? `${document.settings.get(key)} ${value}` : value);
    return { html: '', next: start + 1 };
  }

  /** What captions and attributes of HTML before a block add to it. */
  #affiliated(start: number, end: number, base: number): Block | undefined {
    const captions: string[] = [];
    let attributes = '';
    let i = start;
    for (; i < end && this.#lines[i]?.kind === 'keyword'; i++) {
      const line = this.#lines[i] as Line;
      const value = (line.parts[3] ?? '').trim();
      if (line.content.toUpperCase() === 'CAPTION') captions.push(inlineHtml(value, this.#document));
      else if (line.content.toUpperCase() === 'ATTR_HTML') {
        for (const [, name = '', text = ''] of value.matchAll(/:([-\w]+) +([^:]*(?::(?!\w)[^:]*)*)/g))
          attributes += ` ${name}="${escapeHtml(text.trim())}"`;
      } else return undefined;
    }
    if (i === end || isBlank(this.#lines[i])) return undefined;
    const block = this.#block(i, end, base);
    const alone = /^<p>((?:<a [^>]*>)?(?:<img [^>]*>|<video [^>]*>[^<]*<\/video>)(?:<\/a>)?)<\/p>\n$/.exec(block.html)?.[1] ?? block.html;
    const html = attributes ? `${alone.replace(/^<[^>]*?(?=\s*\/?>)/, (tag) => tag + attributes).trim()}\n` : alone;
    if (captions.length === 0) return { html, next: block.next };
    return { html: `<figure>\n${html}<figcaption>\n${captions.join(' ')}\n</figcaption>\n</figure>\n`, next: block.next };
  }

  #footnote(start: number, end: number, line: Line): Block {
    let next = start + 1;
    while (next < end) {
      const other = this.#lines[next] as Line;
      if (other.kind === 'headline' || other.kind === 'footnote') break;
      if (isBlank(other) && isBlank(this.#lines[next - 1]) && next > start + 1) break;
      next++;
    }
    this.#lines[start] = readLine(line.parts[3] ?? '');
    this.#document.define(line.content, this.blocks(start, next, 0));
    return { html: '', next };
  }
}

interface Block {
  html: string;
  next: number;
  paragraph?: boolean;
}

const isOrdered = (line: Line): boolean => /[.)]/.test(line.parts[2] ?? '');

const trimBlock = (lines: string[]): string => lines.join('\n').replace(/^\n+/, '').trimEnd();

/** Takes off the comma that keeps a line of an example from being read as Org. */
const unescapeLines = (text: string): string => text.replace(/^([ \t]*),([ \t]*(?:,?\*|,?#\+))/gm, '$1$2');
