import { escapeHtml } from '../../text/escape-html.ts';
import { RenderLimitError } from '../deadline.ts';
import type { Block, BlockParser } from './block-parser.ts';
import { delimited } from './delimited.ts';
import { OrgDocument } from './document.ts';
import { footnotesHtml, outlineHtml, titleHtml } from './frame.ts';
import { inlineHtml } from './inline.ts';
import { keyword } from './keyword.ts';
import { isBlank, type Line, readLine } from './lines.ts';
import { list } from './list.ts';
import { headline } from './section.ts';
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

class OrgParser implements BlockParser {
  readonly lines: Line[];
  readonly document: OrgDocument;
  #nesting = 0;

  constructor(lines: Line[], document: OrgDocument) {
    this.lines = lines;
    this.document = document;
  }

  blocks(start: number, end: number, base: number): string {
    return this.blockList(start, end, base).reduce((html, block) => html + block.html, '');
  }

  blockList(start: number, end: number, base: number): Block[] {
    if (++this.#nesting > MAX_NESTING) throw new RenderLimitError('nested too deep');
    const blocks: Block[] = [];
    for (let i = start; i < end; ) {
      const block = this.block(i, end, base);
      blocks.push(block);
      i = block.next;
    }
    this.#nesting--;
    return blocks;
  }

  skip(start: number, end: number, holds: (line: Line) => boolean): number {
    let i = start;
    while (i < end && holds(this.lines[i] as Line)) i++;
    return i;
  }

  block(i: number, end: number, base: number): Block {
    const line = this.lines[i] as Line;
    switch (line.kind) {
      case 'headline':
        return headline(this, i, end, line);
      case 'block':
        return delimited(this, i, end, line) ?? this.#paragraph(i, end, base);
      case 'drawer':
        return this.#drawer(i, end, line, base);
      case 'list':
        return list(this, i, end, line);
      case 'table': {
        const next = this.skip(i, end, ({ kind }) => kind === 'table');
        const rows = this.lines.slice(i, next).map(({ content }) => content);
        return { html: tableHtml(rows, (cell) => inlineHtml(cell, this.document)), next };
      }
      case 'example': {
        const next = this.skip(i, end, ({ kind }) => kind === 'example');
        const text = this.lines.slice(i, next).map(({ content }) => `${escapeHtml(content)}\n`);
        return { html: `<pre>\n${text.join('')}</pre>\n`, next };
      }
      case 'rule':
        return { html: '<hr>\n', next: i + 1 };
      case 'keyword':
        return keyword(this, i, end, line, base);
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
    const close = this.skip(start, end, ({ source }) => source.trim() !== `\\end{${name}}`);
    if (close === end) return undefined;
    const lines = this.lines.slice(start, close + 1).map(({ source }) => escapeHtml(source.trim()));
    return { html: `${lines.join('\n')}\n`, next: close + 1 };
  }

  /** A blank line belongs to the paragraph that follows. */
  #paragraph(start: number, end: number, base: number): Block {
    const next = this.skip(start + 1, end, (line) => line.kind === 'text' && !isBlank(line));
    const lines = this.lines
      .slice(start, next)
      .map(
        (line, index) =>
          (index ? ' '.repeat(Math.max(0, line.indent - base)) : '') + (line.kind === 'text' ? line.content : line.source.trim()),
      );
    if (next === start + 1 && isBlank(this.lines[start])) return { html: '', next };
    return { html: `<p>${inlineHtml(lines.join('\n'), this.document)}</p>\n`, next, paragraph: true };
  }

  #drawer(start: number, end: number, line: Line, base: number): Block {
    const close = this.skip(start + 1, end, ({ kind }) => kind !== 'drawerEnd' && kind !== 'headline');
    const closed = this.lines[close]?.kind === 'drawerEnd' && close < end;
    const html = line.content.toUpperCase() === 'PROPERTIES' && closed ? '' : this.blocks(start + 1, close, base);
    return { html, next: closed ? close + 1 : close };
  }

  #footnote(start: number, end: number, line: Line): Block {
    let next = start + 1;
    while (next < end) {
      const other = this.lines[next] as Line;
      if (other.kind === 'headline' || other.kind === 'footnote') break;
      if (isBlank(other) && isBlank(this.lines[next - 1]) && next > start + 1) break;
      next++;
    }
    this.lines[start] = readLine(line.parts[3] ?? '');
    this.document.define(line.content, this.blocks(start, next, 0));
    return { html: '', next };
  }
}
