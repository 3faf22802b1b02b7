import type { Compilable, CompiledQuery, DatabaseConnection, DialectAdapter, QueryExecutor, QueryResult } from 'kysely';
import type { Db } from './database.ts';
import type { CachedQuery } from './result-cache.ts';
import type { UnsyncedQuery } from './sqlite.ts';
import { TwoHandleAdapter } from './sqlite-adapter.ts';

/**
 * A query that runs often: written with the builder, compiled once, then only given its values. Building and compiling takes as long as
 * SQLite needs for the result.
 * @param build called once per dialect, with placeholders for the values: it must not read them
 * @param options.isUnsynced for a write that needs no sync of its own: a later write of the same request syncs both
 * @param options.isCached for a read that recurs and has short values
 */
export function prepared<V extends readonly unknown[], R>(
  build: (db: Db, ...values: V) => Compilable<R>,
  options: UnsyncedQuery & CachedQuery = {},
): (db: Db, ...values: V) => Promise<R[]> {
  const compiled = new WeakMap<DialectAdapter, Template>();
  return async (db, ...values) => {
    const { adapter } = db.getExecutor();
    let template = compiled.get(adapter);
    if (!template) {
      template = compile(db, build, values.length);
      compiled.set(adapter, template);
    }
    const { query, places } = template;
    const parameters = query.parameters.map((constant, at) => (places[at] === undefined ? constant : values[places[at]]));
    return (await execute<R>(db, { ...query, parameters, ...options })).rows;
  };
}

/** Maximum number of ids of a statement that is compiled once; with more ids it is built each time. */
const MAX_IDS = 256;
/** Rows of one insertion. */
const MAX_ROWS = 32;

/**
 * {@link prepared} for a condition on any number of ids or names. It is compiled for powers of two; the last id is repeated to fill up,
 * so the order and number of rows must not depend on duplicate ids. Without ids there are no rows.
 */
export function preparedIn<V extends readonly unknown[], R, Id extends number | string = number>(
  build: (db: Db, ids: readonly Id[], ...values: V) => Compilable<R>,
  options: CachedQuery = {},
): (db: Db, ids: Iterable<Id>, ...values: V) => Promise<R[]> {
  const bySize = new Map<number, (db: Db, ...values: unknown[]) => Promise<R[]>>();
  return async (db, ids, ...values) => {
    const wanted = [...new Set(ids)];
    const last = wanted.at(-1);
    if (last === undefined) return [];
    if (wanted.length > MAX_IDS) return (await db.executeQuery(build(db, wanted, ...values).compile())).rows;
    const size = 2 ** Math.ceil(Math.log2(wanted.length));
    let select = bySize.get(size);
    if (!select) {
      select = prepared((db, ...all: unknown[]) => build(db, all.slice(0, size) as Id[], ...(all.slice(size) as unknown as V)), options);
      bySize.set(size, select);
    }
    return select(db, ...wanted, ...new Array<Id>(size - wanted.length).fill(last), ...values);
  };
}

/**
 * {@link prepared} for pages of a list, compiled once for each page size: SQLite plans again for each execution if the limit is a
 * value.
 */
export function preparedPages<V extends readonly unknown[], R>(
  build: (db: Db, limit: number, offset: number, ...values: V) => Compilable<R>,
  options: CachedQuery = {},
): (db: Db, page: { readonly limit: number; readonly offset: number }, ...values: V) => Promise<R[]> {
  const byLimit = new Map<number, (db: Db, ...values: unknown[]) => Promise<R[]>>();
  return (db, { limit, offset }, ...values) => {
    let select = byLimit.get(limit);
    if (!select) {
      select = prepared(
        (db, offset: unknown, ...rest: unknown[]) => build(db, limit, offset as number, ...(rest as unknown as V)),
        options,
      );
      byLimit.set(limit, select);
    }
    return select(db, offset, ...values);
  };
}

/**
 * {@link prepared} for inserting any number of rows. Compiled for powers of two; a larger number is split into them.
 * @param build gets the values of each row, with placeholders in their place
 */
export function preparedRows<Row extends readonly unknown[], R>(
  build: (db: Db, rows: readonly Row[]) => Compilable<R>,
): (db: Db, rows: readonly Row[]) => Promise<R[]> {
  const bySize = new Map<number, (db: Db, ...values: unknown[]) => Promise<R[]>>();
  return async (db, rows) => {
    const added: R[] = [];
    for (let at = 0; at < rows.length; ) {
      const size = Math.min(2 ** Math.floor(Math.log2(rows.length - at)), MAX_ROWS);
      const some = rows.slice(at, at + size);
      const width = some[0]?.length ?? 0;
      let insert = bySize.get(size);
      if (!insert) {
        const split = (all: unknown[]) => some.map((_, row) => all.slice(row * width, (row + 1) * width) as unknown as Row);
        insert = prepared((db, ...all: unknown[]) => build(db, split(all)));
        bySize.set(size, insert);
      }
      added.push(...(await insert(db, ...some.flat())));
      at += size;
    }
    return added;
  };
}

/** The rows of a recurring query that cannot be compiled once because its conditions vary. */
export async function cachedRows<R>(db: Db, query: Compilable<R>): Promise<R[]> {
  const kept: CompiledQuery<R> & CachedQuery = { ...query.compile(), isCached: true };
  return (await execute<R>(db, kept)).rows;
}

/** SQLite's connections, by the executor that provides them. */
const connections = new WeakMap<QueryExecutor, DatabaseConnection>();

/** Runs a query on SQLite without Kysely's connection handling, which takes as long as a short statement and has nothing to wait for. */
async function execute<R>(db: Db, query: CompiledQuery<R>): Promise<QueryResult<R>> {
  const executor = db.getExecutor();
  if (!(executor.adapter instanceof TwoHandleAdapter) || executor.plugins.length > 0) return await db.executeQuery(query);
  const known = connections.get(executor);
  if (known) return await known.executeQuery(query);
  const connection = await executor.provideConnection(async (provided) => provided);
  connections.set(executor, connection);
  return await connection.executeQuery(query);
}

interface Template {
  query: CompiledQuery;
  /** The index of the value of each parameter of the statement; undefined for constants. */
  places: (number | undefined)[];
}

function compile<V extends readonly unknown[], R>(db: Db, build: (db: Db, ...values: V) => Compilable<R>, count: number): Template {
  const standIns = Array.from({ length: count }, () => ({}));
  const query = build(db, ...(standIns as unknown as V)).compile();
  const places = query.parameters.map((parameter) => {
    const at = standIns.indexOf(parameter as object);
    return at < 0 ? undefined : at;
  });
  return { query, places };
}
