import type { ChangedFile } from '../../../git/diff/changes.ts';
import type { ShownHunk, ShownLine } from './diff-task.ts';
import type { MarkedLines } from './line-field.ts';
import type { DiffOptions, DiffPosition } from './options.ts';

/** The data that the rows of a file need. */
export interface RowContext {
  readonly file: ChangedFile;
  readonly anchor: string;
  readonly options: DiffOptions;
  readonly noNewline: string;
  readonly marked?: MarkedLines | undefined;
}

const SIGNS: Readonly<Record<ShownLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };

/** The lines of a hunk as rows of a table with four columns: old number, new number, sign, code. */
export function unifiedRows(row: RowContext, { lines }: ShownHunk): string {
  let rows = '';
  for (const line of lines) {
    const { oldLine, newLine, kind } = line;
    const place: DiffPosition = newLine === undefined ? { side: 'old', line: oldLine ?? 0 } : { side: 'new', line: newLine };
    rows += `<tr class="${kind}">${numberCell(row, 'old', oldLine)}${numberCell(row, 'new', newLine)}${codeCells(row, line, place)}</tr>`;
    rows += extrasRow(row, line.kind === 'added' ? undefined : oldLine, line.kind === 'removed' ? undefined : newLine, 4);
  }
  return rows;
}

/** The same with the two sides next to each other: number, sign and code of each. */
export function splitRows(row: RowContext, { lines }: ShownHunk): string {
  let rows = '';
  for (let at = 0; at < lines.length; ) {
    const pairs = pairsFrom(lines, at);
    for (const [left, right] of pairs.rows) {
      rows += `<tr>${sideCells(row, 'old', left)}${sideCells(row, 'new', right)}</tr>`;
      rows += extrasRow(row, left?.oldLine, right?.newLine, 6);
    }
    at += pairs.length;
  }
  return rows;
}

type Pair = readonly [ShownLine | undefined, ShownLine | undefined];

/** Replaced lines are next to their replacements. */
function pairsFrom(lines: readonly ShownLine[], from: number): { rows: Pair[]; length: number } {
  const first = lines[from];
  if (first?.kind === 'context') return { rows: [[first, first]], length: 1 };
  let at = from;
  while (lines[at]?.kind === 'removed') at++;
  const removed = lines.slice(from, at);
  const middle = at;
  while (lines[at]?.kind === 'added') at++;
  const added = lines.slice(middle, at);
  const rows = Array.from({ length: Math.max(removed.length, added.length) }, (_, i): Pair => [removed[i], added[i]]);
  return { rows, length: at - from };
}

function sideCells(row: RowContext, side: 'old' | 'new', line: ShownLine | undefined): string {
  if (!line) return '<td class="n none"></td><td class="s none"></td><td class="none"></td>';
  const number = side === 'old' ? line.oldLine : line.newLine;
  const kind = line.kind === 'context' ? 'context' : line.kind;
  return `${numberCell(row, side, number, kind)}${codeCells(row, line, { side, line: number ?? 0 }, kind)}`;
}

/** The style sheet shows the number. It is not a link: lines are too low for targets, and each would be a tab stop. */
function numberCell({ anchor, marked }: RowContext, side: 'old' | 'new', number: number | undefined, kind = ''): string {
  if (number === undefined) return `<td class="n ${kind}"></td>`;
  const id = `${anchor}${side === 'old' ? 'L' : 'R'}${number}`;
  const isMarked = marked && marked.side === side && number >= marked.from && number <= marked.to;
  return `<td class="n ${kind}${isMarked ? ' marked' : ''}" id="${id}" data-n="${number}"></td>`;
}

function codeCells({ file, options, noNewline }: RowContext, line: ShownLine, place: DiffPosition, kind = ''): string {
  const action = options.lineAction?.(file, place)?.text ?? '';
  const end = line.noNewline ? `<span class="no-newline">${noNewline}</span>` : '';
  return `<td class="s ${kind}">${SIGNS[line.kind]}</td><td class="c ${kind}">${action}<code>${line.html}</code>${end}</td>`;
}

function extrasRow({ file, options }: RowContext, oldLine: number | undefined, newLine: number | undefined, columns: number): string {
  const { lineExtras } = options;
  if (!lineExtras) return '';
  const old = oldLine === undefined ? undefined : lineExtras(file, { side: 'old', line: oldLine });
  const now = newLine === undefined ? undefined : lineExtras(file, { side: 'new', line: newLine });
  if (!old && !now) return '';
  return `<tr class="extras"><td colspan="${columns}">${old?.text ?? ''}${now?.text ?? ''}</td></tr>`;
}
