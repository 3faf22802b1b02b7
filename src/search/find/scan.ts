import type { Context } from '../../context.ts';
import { discardIndex, readyIndex } from '../index/rows.ts';
import type { Query } from '../query/query.ts';
import { readTable } from './parts.ts';
import type * as scan from './scan-task.ts';
import type { ScopedIndex } from './scope.ts';
import { inWorker, type TimeLimit } from './time-limit.ts';

const SCAN = new URL('./scan-task.ts', import.meta.url);
/** Tables that are read at one time, and the bytes of those that a worker gets at once. */
const READ_AT_ONCE = 16;
const BATCH_BYTES = 64 * 1024 * 1024;
/** Maximum number of files whose texts one search reads. */
const MAX_CANDIDATES = 20_000;

/** A file that may match. */
export interface ScannedFile {
  readonly index: ScopedIndex;
  readonly table: SharedArrayBuffer;
  /** The position of its repository in the order of the search. */
  readonly order: number;
  readonly file: number;
  readonly score: number;
}

/** The files that may match, the most promising first. */
export interface Scanned {
  readonly candidates: readonly ScannedFile[];
  /** Whether some files were not searched, or some candidates are left out. */
  readonly isIncomplete: boolean;
}

interface OpenTable {
  readonly index: ScopedIndex;
  readonly order: number;
  readonly table: SharedArrayBuffer;
}

/** @throws QueryError */
export async function scanIndexes(context: Context, query: Query, indexes: readonly ScopedIndex[], limit: TimeLimit): Promise<Scanned> {
  const candidates: ScannedFile[] = [];
  let isIncomplete = false;
  let at = 0;
  do {
    const { tables, next, isMissing } = await openTables(context, indexes, at, limit);
    const found = await inWorker<typeof scan>(
      context,
      SCAN,
      { query, tables: tables.map(({ table }) => table), maxCandidates: MAX_CANDIDATES },
      limit.left,
    );
    for (const { index, file, score } of found?.candidates ?? []) {
      const opened = tables[index];
      if (opened) candidates.push({ ...opened, file, score });
    }
    isIncomplete ||= isMissing || !found || found.isCut;
    at = next;
  } while (at < indexes.length && limit.left > 0);
  candidates.sort((a, b) => b.score - a.score || a.order - b.order || a.file - b.file);
  return {
    candidates: candidates.slice(0, MAX_CANDIDATES),
    isIncomplete: isIncomplete || at < indexes.length || candidates.length > MAX_CANDIDATES,
  };
}

/** The next tables, as many as a worker gets at once. */
async function openTables(context: Context, indexes: readonly ScopedIndex[], from: number, limit: TimeLimit) {
  const tables: OpenTable[] = [];
  let [bytes, next, isMissing] = [0, from, false];
  while (next < indexes.length && bytes < BATCH_BYTES && limit.left > 0) {
    const some = indexes.slice(next, next + READ_AT_ONCE);
    const opened = await Promise.all(some.map((index) => openTable(context, index)));
    opened.forEach((found, place) => {
      if (found) tables.push({ ...found, order: next + place });
      else isMissing = true;
      bytes += found?.table.byteLength ?? 0;
    });
    next += some.length;
  }
  return { tables, next, isMissing };
}

/** An index may have been replaced since its row was read; one without its bytes is built again. */
async function openTable(context: Context, index: ScopedIndex): Promise<Omit<OpenTable, 'order'> | undefined> {
  const table = await readTable(context, index);
  if (table) return { index, table };
  const ready = await readyIndex(context, index.repository_id);
  if (ready?.id === index.id) await discardIndex(context, ready);
  if (!ready || ready.id === index.id) return undefined;
  const replaced = await readTable(context, ready);
  return replaced && { index: ready, table: replaced };
}
