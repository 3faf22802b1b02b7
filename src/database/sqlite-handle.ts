import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';
import type { CacheBudget } from '../caches/budget.ts';
import { LOWER_UNICODE } from './contains.ts';
import { type LongColumn, lengthOf, longColumns } from './long-texts.ts';
import { ResultCache } from './result-cache.ts';
import { rowMaker, type ToRow } from './rows.ts';

const MAX_STATEMENTS = 600;
/** Characters of long texts that a result may have to be read at once: they take about ten milliseconds. */
const MAX_AT_ONCE = 1_000_000;
/** Rows that a result may have to be read at once: such a number of accounts takes five milliseconds. */
const MAX_ROWS_AT_ONCE = 2000;
/** The characters that a row counts as, besides those of its long texts. */
const ROW = MAX_AT_ONCE / MAX_ROWS_AT_ONCE;
/** 80 MiB. */
const LARGE_LOG_PAGES = 20_000;

/** A prepared statement, and the function that makes rows from the arrays it returns, if it returns any. */
interface Prepared {
  statement: StatementSync;
  toRow: ToRow | undefined;
  /** The columns that may have long texts. */
  long: readonly LongColumn[];
  /** The most rows that a result had; undefined before the first. Unless they are few, it is read row by row, which takes a twentieth longer. */
  mostRows: number | undefined;
}

/** One SQLite handle with its prepared statements. It never waits: a lock of another process is an immediate `SQLITE_BUSY`. */
export class Handle {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  readonly #caches: CacheBudget | undefined;
  #results: ResultCache | undefined;
  /** The columns whose texts have been long together: then results with them are read row by row, which takes a twentieth longer. */
  readonly #seenLong = new Set<string>();

  /** @param caches counts the cached results */
  constructor(path: string, caches?: CacheBudget) {
    this.#caches = caches;
    // SQLite would wait for another process in the thread of all requests: the driver waits instead.
    this.database = new DatabaseSync(path, { timeout: 0 });
    this.database.function(LOWER_UNICODE, { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  }

  /** @throws Error when the folder does not support the shared memory of the write-ahead log, as on network file systems */
  configure(): void {
    const { journal_mode: mode } = { ...this.database.prepare('pragma journal_mode = wal').get() };
    if (mode !== 'wal') throw new Error(`SQLite cannot keep a write-ahead log beside ${this.database.location()}; use a local disk`);
    // Checkpoints run in a thread of their own (checkpoints.ts); here only when the log has become large nevertheless.
    this.database.exec(`pragma wal_autocheckpoint = ${LARGE_LOG_PAGES}`);
    // Each handle has its own pages; others are in the system's memory. No request of a database of 60 MB was cheaper with 16 MB.
    this.database.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -4000');
  }

  /** @param isCached for reads on a handle that only reads: caches the result until the next commit */
  run(sql: string, parameters: readonly unknown[], isCached = false): QueryResult<unknown> {
    const prepared = this.#statement(sql);
    const values = parameters.map(toSqlite);
    if (!prepared.toRow) {
      const { changes, lastInsertRowid } = prepared.statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    const rows: unknown[] = isCached ? this.#cache().rows(prepared.statement, values) : prepared.statement.all(...values);
    return { rows: rows.map(prepared.toRow), numAffectedRows: BigInt(rows.length) };
  }

  /**
   * The result of a read; undefined if its rows are so many, or their texts so long, that reading them would block the thread:
   * {@link readInSlices} reads those. For a statement that had few rows before, that is noticed only after it happened once.
   */
  readAtOnce(sql: string, parameters: readonly unknown[], isCached = false): QueryResult<unknown> | undefined {
    const prepared = this.#statement(sql);
    const { statement, toRow, long } = prepared;
    if ((long.length === 0 && isCached) || !toRow) return this.run(sql, parameters, isCached);
    const values = parameters.map(toSqlite);
    let length = 0;
    const { mostRows = Number.POSITIVE_INFINITY } = prepared;
    if (mostRows <= MAX_ROWS_AT_ONCE && !long.some(({ name }) => this.#seenLong.has(name))) {
      const all: unknown[] = statement.all(...values);
      prepared.mostRows = Math.max(mostRows, all.length);
      for (const row of all) length += lengthOf(row as unknown[], long);
      if (length > MAX_AT_ONCE) for (const { name } of long) this.#seenLong.add(name);
      return { rows: all.map(toRow), numAffectedRows: BigInt(all.length) };
    }
    const rows: unknown[] = [];
    for (const row of statement.iterate(...values) as Iterable<unknown>) {
      length += ROW + lengthOf(row as unknown[], long);
      if (length > MAX_AT_ONCE) {
        // So it stays, whatever later results have.
        prepared.mostRows = Number.POSITIVE_INFINITY;
        return undefined;
      }
      rows.push(toRow(row));
    }
    prepared.mostRows ??= rows.length;
    return { rows, numAffectedRows: BigInt(rows.length) };
  }

  /**
   * The result of a read, with pauses after each ten milliseconds or so. Until it ends, this handle sees no later commit.
   * @param pause lets others use the thread
   */
  async readInSlices(sql: string, parameters: readonly unknown[], pause: () => Promise<void>): Promise<QueryResult<unknown>> {
    const { statement, toRow, long } = this.#statement(sql);
    const rows: unknown[] = [];
    let length = 0;
    for (const row of statement.iterate(...parameters.map(toSqlite)) as Iterable<unknown>) {
      rows.push(toRow ? toRow(row) : row);
      length += ROW + lengthOf(row as unknown[], long);
      if (length < MAX_AT_ONCE) continue;
      length = 0;
      await pause();
    }
    return { rows, numAffectedRows: BigInt(rows.length) };
  }

  /** Rolls back the transaction, if there is one. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec('rollback');
  }

  #cache(): ResultCache {
    if (!this.#results) {
      this.#results = new ResultCache(this.database);
      this.#caches?.add(this.#results);
    }
    return this.#results;
  }

  #statement(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.database.prepare(sql);
    const columns = statement.columns();
    statement.setReturnArrays(true);
    const prepared = {
      statement,
      toRow: columns.length > 0 ? rowMaker(columns) : undefined,
      long: longColumns(columns),
      mostRows: undefined,
    };
    this.#statements.set(sql, prepared);
    if (this.#statements.size > MAX_STATEMENTS)
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    return prepared;
  }
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  return value as SQLInputValue;
}
