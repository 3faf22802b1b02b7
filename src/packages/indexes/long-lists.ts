import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { cachePerServer } from '../../caches/recently-used.ts';
import type { Context } from '../../context.ts';
import type { ListedVersion } from './blocks.ts';
import { type ListState, type Scope, stateOf, totalsOf, versionsAfter, withVersions } from './list-state.ts';

/** A list of versions that is long for some packages or owners. */
export interface LongList<Row> {
  readonly of: Scope;
  /** Which list of them, with everything that it depends on besides the versions and their files. */
  readonly name: string;
  readonly order: (a: Row, b: Row) => number;
  /** Reads the rows of the versions that meet a condition, those of one version in their order. */
  readonly read: (isRead: RawBuilder<SqlBool>) => Promise<Row[]>;
}

/** Versions whose ids differ in the last bits alone are compared with the database together. */
const PART = 32;
/** Rows of a list that is cached. */
const MIN_ROWS = 500;
/** Changed parts that are read one by one. */
const MAX_CHANGED = 16;
/** New rows that are put into their places one by one. */
const MAX_NEW = 64;
/** Approximate memory of a row in bytes. */
const ROW_BYTES = 250;
/** Size limit of the lists of a process in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

interface CachedList<Row = ListedVersion> {
  readonly rows: readonly Row[];
  /** Left out the first time, so that short lists need none. */
  readonly state?: ListState;
}

const listsIn = cachePerServer<CachedList>(MAX_BYTES);

/**
 * The rows of a list in their order, as they are now. Of a long one this process keeps the rows, and reads only those again whose
 * versions have changed: reading all takes a microsecond or two for each. Rows that have not changed stay the same objects.
 */
export async function readLongList<Row extends ListedVersion>(context: Context, list: LongList<Row>): Promise<readonly Row[]> {
  const lists = listsIn(context);
  const name = JSON.stringify([list.of, list.name]);
  const cached = context.db.isTransaction ? undefined : (lists.get(name) as CachedList<Row> | undefined);
  const current = await readCurrent(context, list, cached);
  if (context.db.isTransaction || current === cached) return current.rows;
  if (current.rows.length < MIN_ROWS) lists.delete(name);
  else lists.set(name, current, current.rows.length * ROW_BYTES);
  return current.rows;
}

async function readCurrent<Row extends ListedVersion>(
  { db }: Context,
  { of, order, read }: LongList<Row>,
  cached: CachedList<Row> | undefined,
): Promise<CachedList<Row>> {
  if (!cached) return { rows: (await read(sql<SqlBool>`1 = 1`)).sort(order) };
  const before = cached.state;
  const totals = before && (await totalsOf(db, of));
  if (before && totals === before.totals) return cached;
  // What is new is read after what says so: what is added in between is found new the next time.
  const added = before ? await versionsAfter(db, of, before.last) : [];
  const grown = before && added.length > 0 ? withVersions(before, added) : undefined;
  if (before && grown && grown.totals === totals) {
    const rows = await read(sql<SqlBool>`package_versions.id > ${before.last} and package_versions.id <= ${grown.last}`);
    return { rows: inserted(cached.rows, rows.sort(order), order), state: grown };
  }
  const state = await stateOf(db, of);
  const parts = before ? changedParts(before, state) : [];
  if (!before || parts.length > MAX_CHANGED) return { rows: (await read(sql<SqlBool>`1 = 1`)).sort(order), state };
  const isChanged = new Set(parts);
  const changed: Row[] = [];
  for (const part of parts) {
    const from = part * PART;
    changed.push(...(await read(sql<SqlBool>`package_versions.id >= ${from} and package_versions.id < ${from + PART}`)));
  }
  const others = cached.rows.filter(({ id }) => !isChanged.has(Math.floor(id / PART)));
  return { rows: inserted(others, changed.sort(order), order), state };
}

function changedParts(before: ListState, after: ListState): number[] {
  const parts = new Set([...before.parts.keys(), ...after.parts.keys()]);
  return [...parts].filter((part) => before.parts.get(part) !== after.parts.get(part));
}

/** The rows with others in their places, each after those that are as high. */
function inserted<Row>(rows: readonly Row[], others: readonly Row[], order: (a: Row, b: Row) => number): Row[] {
  if (others.length > MAX_NEW) return [...rows, ...others].sort(order);
  const all: Row[] = [];
  let from = 0;
  for (const other of others) {
    const to = placeOf(rows, other, order, from);
    for (; from < to; from++) all.push(rows[from] as Row);
    all.push(other);
  }
  return all.concat(rows.slice(from));
}

function placeOf<Row>(rows: readonly Row[], other: Row, order: (a: Row, b: Row) => number, from: number): number {
  let [low, high] = [from, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(rows[middle] as Row, other) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
