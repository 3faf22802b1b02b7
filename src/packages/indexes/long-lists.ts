import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { cachePerServer } from '../../caches/recently-used.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { ListedVersion } from './blocks.ts';

/** The versions of a list: those of a package, or of an owner's packages of a type. */
export type Scope = { readonly packageId: number } | { readonly ownerId: number; readonly type: PackageType };

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
/** Approximate memory of a row in bytes. */
const ROW_BYTES = 250;
/** Size limit of the lists of a process in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What tells whether a part has changed: ids are never reused and revisions only grow. */
const ofPackage = prepared((db, packageId: number) => sumsIn(db).where('package_id', '=', packageId));
const ofOwner = prepared((db, ownerId: number, type: PackageType) => sumsIn(db).where('owner_id', '=', ownerId).where('type', '=', type));

function sumsIn(db: Db) {
  return db
    .selectFrom('package_versions')
    .select(sql<number>`id / 32`.as('part'))
    .select(sql<number | string>`sum(cast(1 as bigint) << cast(id & 31 as integer))`.as('ids'))
    .select(sql<number | string>`sum(revision)`.as('revisions'))
    .where('is_internal', '=', false)
    .groupBy(sql`id / 32`);
}

interface CachedList {
  readonly rows: readonly ListedVersion[];
  /** By part; empty the first time, so that short lists need no sums. */
  readonly sums: ReadonlyMap<number, string>;
}

const listsIn = cachePerServer<CachedList>(MAX_BYTES);

/**
 * The rows of a list in their order, as they are now. Of a long one this process keeps the rows, and reads only those again whose
 * versions have changed: reading all takes a microsecond or two for each.
 */
export async function readLongList<Row extends ListedVersion>(context: Context, list: LongList<Row>): Promise<readonly Row[]> {
  const lists = listsIn(context);
  const name = JSON.stringify([list.of, list.name]);
  const cached = context.db.isTransaction ? undefined : (lists.get(name) as (CachedList & { rows: readonly Row[] }) | undefined);
  // Before the rows: what is changed in between is found changed the next time.
  const sums = cached ? await sumsOf(context.db, list.of) : new Map<number, string>();
  const changed = new Set(cached ? [...sums.keys(), ...cached.sums.keys()].filter((part) => sums.get(part) !== cached.sums.get(part)) : []);
  if (cached && changed.size === 0) return cached.rows;
  const rows = cached && changed.size <= MAX_CHANGED ? await readParts(cached.rows, changed, list) : await list.read(sql<SqlBool>`1 = 1`);
  rows.sort(list.order);
  if (context.db.isTransaction) return rows;
  if (rows.length < MIN_ROWS) lists.delete(name);
  else lists.set(name, { rows, sums }, rows.length * ROW_BYTES);
  return rows;
}

async function readParts<Row extends ListedVersion>(
  cached: readonly Row[],
  changed: ReadonlySet<number>,
  { read }: LongList<Row>,
): Promise<Row[]> {
  const rows = cached.filter(({ id }) => !changed.has(Math.floor(id / PART)));
  for (const part of changed) {
    const from = part * PART;
    rows.push(...(await read(sql<SqlBool>`package_versions.id >= ${from} and package_versions.id < ${from + PART}`)));
  }
  return rows;
}

async function sumsOf(db: Db, of: Scope): Promise<Map<number, string>> {
  const rows = 'packageId' in of ? await ofPackage(db, of.packageId) : await ofOwner(db, of.ownerId, of.type);
  return new Map(rows.map(({ part, ids, revisions }) => [Number(part), `${ids} ${revisions}`]));
}
