import type { Block, BlockParser } from './block-parser.ts';
import { closing } from './delimited.ts';
import { inlineHtml } from './inline.ts';
import { isBlank, type Line, readLine } from './lines.ts';

/** A list of items at one indentation. */
export function list(parser: BlockParser, start: number, end: number, first: Line): Block {
  const ordered = isOrdered(first);
  const described = /\s::(\s|$)/.test(first.content);
  const tag = described ? 'dl' : ordered ? 'ol' : 'ul';
  let html = `<${tag}>\n`;
  let i = start;
  while (i < end) {
    const line = parser.lines[i] as Line;
    if (line.kind !== 'list' || line.indent !== first.indent || isOrdered(line) !== ordered) break;
    const item = listItem(parser, i, end, line, tag);
    html += item.html;
    i = item.next;
  }
  return { html: `${html}</${tag}>\n`, next: i };
}

function listItem(parser: BlockParser, start: number, end: number, line: Line, tag: 'dl' | 'ol' | 'ul'): Block {
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
    const other = parser.lines[next] as Line;
    if (isBlank(other) ? isBlank(parser.lines[next - 1]) && next > start + 1 : other.indent < inside) break;
    // A delimited block that begins in the item ends in it, however its lines stand.
    next = other.kind === 'block' ? (closing(parser, next, end, other) ?? next) + 1 : next + 1;
  }
  parser.lines[start] = readLine(' '.repeat(inside) + content);
  const body = itemBody(parser, start, next, inside + 1);
  const classes = status ? ` class="${{ ' ': 'unchecked', '-': 'indeterminate', X: 'checked' }[status[1] ?? ''] ?? ''}"` : '';
  if (tag === 'dl') {
    const name = term ? inlineHtml(term[1] ?? '', parser.document) : '?';
    return { html: `<dt${classes}>\n${name}\n</dt>\n<dd>${body}</dd>\n`, next };
  }
  return { html: `<li${value ? ` value="${value[1]}"` : ''}${classes}>${body}</li>\n`, next };
}

/** The content of an item: paragraphs alone are written without their tags. */
function itemBody(parser: BlockParser, start: number, end: number, base: number): string {
  const blocks = parser.blockList(start, end, base).filter(({ html }) => html);
  if (blocks.every(({ paragraph }) => paragraph)) return blocks.map(({ html }) => html.slice(3, -5)).join('\n');
  return `\n${blocks.map(({ html }) => html).join('')}`;
}

const isOrdered = (line: Line): boolean => /[.)]/.test(line.parts[2] ?? '');
