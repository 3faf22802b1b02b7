import type { MarkdownIt, Token } from 'markdown-it';
import { RenderLimitError } from '../deadline.ts';
import { copyToken } from './copy-token.ts';

/** Missing cells of rows are filled in, so few characters could make very many. */
const MAX_MISSING_CELLS = 65_536;

/**
 * Tables (https://github.github.com/gfm/#tables-extension-): a paragraph is one from the line on that stands over a line of
 * delimiters. So whatever goes on with a paragraph is a row, however it is indented.
 */
export function tables(md: MarkdownIt): void {
  md.disable('table');
  md.core.ruler.after('block', 'tables', (state) => {
    const tokens: Token[] = [];
    for (let i = 0; i < state.tokens.length; i++) {
      const token = state.tokens[i] as Token;
      const inline = state.tokens[i + 1];
      const table = isParagraph(token) && inline ? new TableMaker(inline.content, token.level).make(token) : undefined;
      if (!table || !inline) {
        tokens.push(token);
        continue;
      }
      if (table.before !== '') tokens.push(...paragraph(token, table.before, inline));
      tokens.push(...table.tokens);
      // What would underline a heading underlines no table.
      if (token.type === 'heading_open') tokens.push(...underline(token, inline, state.src));
      i += 2;
    }
    state.tokens = tokens;
  });
  md.core.ruler.after('inline', 'pipes_in_code', (state) => {
    state.tokens.forEach((token, index) => {
      if (state.tokens[index - 1]?.meta?.cell !== true) return;
      for (const child of token.children ?? []) if (child.type === 'code_inline') child.content = child.content.replaceAll('\\|', '|');
    });
  });
}

/** A paragraph, or a heading that is one with a line under it. */
function isParagraph({ type, markup }: Token): boolean {
  return type === 'paragraph_open' || (type === 'heading_open' && (markup === '=' || markup === '-'));
}

function paragraph(open: Token, content: string, inline: Token): Token[] {
  return [
    copyToken(open, { type: 'paragraph_open', tag: 'p', markup: '' }),
    copyToken(inline, { content }),
    copyToken(open, { type: 'paragraph_close', tag: 'p', markup: '', nesting: -1 }),
  ];
}

function underline(heading: Token, inline: Token, source: string): Token[] {
  const line = source.split('\n', heading.map?.[1]).at(-1) ?? '';
  const text = /(?:-+|=+)(?=\s*$)/.exec(line)?.[0] ?? heading.markup;
  if (/^-{3,}$/.test(text)) return [copyToken(heading, { type: 'hr', tag: 'hr', nesting: 0, markup: text })];
  return paragraph(heading, text, inline);
}

class TableMaker {
  readonly #lines: string[];
  readonly #level: number;
  #missing = 0;

  constructor(content: string, level: number) {
    this.#lines = content.split('\n');
    this.#level = level;
  }

  /** The tokens of the table and the text before it; undefined where there is none. */
  make(sample: Token): { before: string; tokens: Token[] } | undefined {
    const lines = this.#lines;
    const found = findTable(lines);
    if (!found) return undefined;
    const { delimiters, aligns } = found;
    const rows = lines.slice(delimiters + 1).map((line) => this.#row(sample, readRow(line), aligns, 'td'));
    const head = this.#wrap(sample, 'thead', this.#row(sample, readRow(lines[delimiters - 1] ?? ''), aligns, 'th'));
    const body = rows.length > 0 ? this.#wrap(sample, 'tbody', rows.flat()) : [];
    return { before: lines.slice(0, delimiters - 1).join('\n'), tokens: this.#wrap(sample, 'table', [...head, ...body]) };
  }

  #row(sample: Token, cells: readonly string[], aligns: readonly string[], tag: 'th' | 'td'): Token[] {
    this.#missing += Math.max(0, aligns.length - cells.length);
    if (this.#missing > MAX_MISSING_CELLS) throw new RenderLimitError('a table lacks too many cells');
    const made = aligns.flatMap((align, index) => {
      const cell = this.#wrap(sample, tag, [
        copyToken(sample, { type: 'inline', tag: '', nesting: 0, content: cells[index] ?? '', children: [] }),
      ]);
      const open = cell[0] as Token;
      if (align && index < cells.length) open.attrs = [['align', align]];
      if (cells[index]?.includes('`')) open.meta = { cell: true };
      return cell;
    });
    return this.#wrap(sample, 'tr', made);
  }

  #wrap(sample: Token, tag: string, within: readonly Token[]): Token[] {
    const values = { tag, hidden: false, markup: '', level: this.#level, block: true };
    return [
      copyToken(sample, { ...values, type: `${tag}_open`, nesting: 1 }),
      ...within,
      copyToken(sample, { ...values, type: `${tag}_close`, nesting: -1 }),
    ];
  }
}

/** The line of delimiters of the table among these lines, if there is one, and its columns. */
function findTable(lines: readonly string[]): { delimiters: number; aligns: string[] } | undefined {
  for (let i = 1; i < lines.length; i++) {
    const aligns = readDelimiters(lines[i] ?? '', i === lines.length - 1);
    if (aligns) return readRow(lines[i - 1] ?? '').length > aligns.length ? undefined : { delimiters: i, aligns };
  }
  return undefined;
}

/** Whether a paragraph of this content is, or ends with, a table. */
export const hasTable = (content: string): boolean => findTable(content.split('\n')) !== undefined;

/** The alignment of each column, empty where none is said; undefined for a line of anything else. Dashes alone end a paragraph as they began it. */
function readDelimiters(line: string, isLast: boolean): string[] | undefined {
  if (!/^ {0,3}(?![ \t])[-|:\s]+$/.test(line) || !line.includes('-') || (isLast && /^-+$/.test(line))) return undefined;
  const columns = line.split('|');
  if (columns[0]?.trim() === '') columns.shift();
  if (columns.at(-1)?.trim() === '') columns.pop();
  const aligns: string[] = [];
  for (const column of columns) {
    const match = /^\s*(:?)-+(:?)\s*$/.exec(column);
    if (!match) return undefined;
    aligns.push(match[1] && match[2] ? 'center' : match[1] ? 'left' : match[2] ? 'right' : '');
  }
  return aligns.length > 0 ? aligns : undefined;
}

/** The cells of a row; a backslash keeps a pipe in its cell. */
function readRow(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  const limit = text.endsWith('|') ? text.length - 1 : text.length;
  let start = text.startsWith('|') ? 1 : 0;
  while (start < limit) {
    let end = start;
    while (end < limit && (text[end] !== '|' || text[end - 1] === '\\')) end++;
    cells.push(text.slice(start, end).trim());
    start = end + 1;
  }
  return cells;
}
