import { run as parse } from '../file/table-task.ts';
import { align, type Pair } from './align.ts';

/** A changed value of a table; it may be missing on one side. */
export interface TableCell {
  readonly kind: 'same' | 'added' | 'removed' | 'changed';
  readonly before: string;
  readonly after: string;
}

/** A row, with its numbers on both sides; undefined on a side that does not have it. */
export interface TableRow {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly cells: readonly TableCell[];
  /** Whether unchanged rows before it are left out. */
  readonly hasGap: boolean;
}

/** The diff of two tables. */
export interface TableDiff {
  readonly rows: readonly TableRow[];
  /** Whether it is truncated. */
  readonly isCut: boolean;
}

/** Two versions of a table; undefined for a missing one. */
export interface TableDiffRequest {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly separator: string | undefined;
}

/** Unchanged rows that are shown around a changed one. */
const AROUND = 2;
const MAX_SHOWN = 300;
const MAX_SHOWN_CELLS = 6_000;
/** Values that are compared to match rows; further rows count as deleted and added. */
const MAX_COMPARED = 1_000_000;

type Rows = readonly (readonly string[])[];

/** Compares two tables by their columns and rows. */
export function run({ before, after, separator }: TableDiffRequest): TableDiff {
  const read = (text: string | undefined) => (text === undefined ? { rows: [], isCut: false } : parse({ text, separator }));
  const [old, now] = [read(before), read(after)];
  const columns = columnsOf(old.rows, now.rows);
  const rows = rowsOf(old.rows, now.rows, columns).map(([a, b]) => rowOf(old.rows, now.rows, columns, a, b));
  const shown = aroundChanges(rows);
  const most = Math.min(MAX_SHOWN, Math.max(1, Math.floor(MAX_SHOWN_CELLS / Math.max(1, columns.length))));
  return { rows: shown.slice(0, most), isCut: old.isCut || now.isCut || shown.length > most };
}

/** Matches columns by their heads. A renamed column is at the position of its former name. */
function columnsOf(old: Rows, now: Rows): readonly Pair[] {
  if (old.length === 0 || now.length === 0)
    return (old[0] ?? now[0] ?? []).map((_, index): Pair => (old.length === 0 ? [-1, index] : [index, -1]));
  return paired(align(old[0] ?? [], now[0] ?? []), () => true);
}

/** Matches equal rows first, and then rows with the same first value or with most values in common. */
function rowsOf(old: Rows, now: Rows, columns: readonly Pair[]): readonly Pair[] {
  const common = columns.filter(([a, b]) => a >= 0 && b >= 0);
  const key = (row: readonly string[], side: 0 | 1) => JSON.stringify(common.map((pair) => row[pair[side]] ?? ''));
  const pairs = align(
    old.map((row) => key(row, 0)),
    now.map((row) => key(row, 1)),
  );
  let compared = 0;
  const isSame = (a: number, b: number) => {
    // The heads of two tables always match.
    if (a === 0 && b === 0) return true;
    compared += common.length;
    if (compared > MAX_COMPARED) return false;
    const same = common.filter(([x, y]) => (old[a]?.[x] ?? '') === (now[b]?.[y] ?? '')).length;
    return same * 2 >= common.length;
  };
  return paired(pairs, isSame);
}

/** Pairs deleted rows with the added rows in their position, if they match. */
function paired(pairs: readonly Pair[], belong: (old: number, now: number) => boolean): readonly Pair[] {
  const result: Pair[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = () => {
    let next = 0;
    for (const a of removed) {
      const found = added.findIndex((b, index) => index >= next && belong(a, b));
      if (found < 0) result.push([a, -1]);
      else {
        for (const b of added.slice(next, found)) result.push([-1, b]);
        result.push([a, added[found] ?? -1]);
        next = found + 1;
      }
    }
    for (const b of added.slice(next)) result.push([-1, b]);
    [removed, added] = [[], []];
  };
  for (const [a, b] of pairs) {
    if (a >= 0 && b >= 0) {
      flush();
      result.push([a, b]);
    } else if (a >= 0) removed.push(a);
    else added.push(b);
  }
  flush();
  return result;
}

function rowOf(old: Rows, now: Rows, columns: readonly Pair[], a: number, b: number): TableRow {
  const [was, is] = [old[a], now[b]];
  const cells = columns.map(([x, y]): TableCell => {
    const [before, after] = [x < 0 ? '' : (was?.[x] ?? ''), y < 0 ? '' : (is?.[y] ?? '')];
    return {
      kind: kindOf({ hasBefore: was !== undefined && x >= 0, hasAfter: is !== undefined && y >= 0 }, before === after),
      before,
      after,
    };
  });
  return { before: was && a + 1, after: is && b + 1, cells, hasGap: false };
}

function kindOf({ hasBefore, hasAfter }: { hasBefore: boolean; hasAfter: boolean }, isSame: boolean): TableCell['kind'] {
  if (hasBefore && hasAfter) return isSame ? 'same' : 'changed';
  return hasBefore ? 'removed' : hasAfter ? 'added' : 'same';
}

/** The heads, and the rows near changed ones. */
function aroundChanges(rows: readonly TableRow[]): TableRow[] {
  const changed = rows.flatMap((row, index) => (isChanged(row) ? [index] : []));
  const kept = new Set([0, ...changed.flatMap((at) => Array.from({ length: 2 * AROUND + 1 }, (_, offset) => at - AROUND + offset))]);
  let last = -1;
  return rows.flatMap((row, index) => {
    if (!kept.has(index)) return [];
    const hasGap = index - last > 1;
    last = index;
    return [{ ...row, hasGap }];
  });
}

function isChanged({ cells }: TableRow): boolean {
  return cells.some(({ kind }) => kind !== 'same');
}
