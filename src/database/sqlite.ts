import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely';
import type { CacheBudget } from '../caches/budget.ts';
import { TimeSlice } from '../concurrency/time-slice.ts';
import { Checkpoints } from './checkpoints.ts';
import { DatabaseError, sqliteFailure } from './errors.ts';
import { LogSync } from './log-sync.ts';
import { LongReads } from './long-reads.ts';
import type { SqliteOptions } from './options.ts';
import type { CachedQuery } from './result-cache.ts';
import { TwoHandleAdapter } from './sqlite-adapter.ts';
import { SqliteStatements } from './sqlite-compiler.ts';
import { Handle } from './sqlite-handle.ts';
import { WriterMutex } from './writer-mutex.ts';

/** Pauses between attempts to get a lock that another process holds: the first, and the longest. */
const PAUSE_MS = { first: 1, longest: 50 };

/** A write that only a later write needs, such as the row of a blob for that of a file: it is on disk no later than that one. */
export interface UnsyncedQuery {
  readonly isUnsynced?: boolean;
}

/**
 * Reads outside a transaction use a handle of their own and see the last commit, as in PostgreSQL, so they never wait for a writer.
 * Writes and transactions take turns on the other handle; a write is complete when it is on disk.
 */
class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver;
  /** Set inside a transaction: releases the handle to the next writer. */
  leave: (() => void) | undefined;
  /** Its transaction has ended: the connection must not be used any more. */
  isOver = false;
  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isOver) throw new Error('the transaction is over');
    const { onQuery } = this.#driver;
    if (!onQuery) return await this.#execute(query);
    const began = performance.now();
    try {
      return await this.#execute(query);
    } finally {
      onQuery(query.query.kind, performance.now() - began, query.sql);
    }
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const driver = this.#driver;
    if (driver.slice.isOver) await driver.slice.next();
    const run = () => driver.writer.run(query.sql, query.parameters) as QueryResult<R>;
    if (this.leave) return driver.attempt(run);
    if (query.query.kind === 'SelectQueryNode') return (await driver.read(query)) as QueryResult<R>;
    const leave = await driver.mutex.enter();
    let result: QueryResult<R>;
    try {
      result = await driver.attempt(run);
    } finally {
      leave();
    }
    if (result.numAffectedRows !== 0n && !(query as UnsyncedQuery).isUnsynced) await driver.flush();
    return result;
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

class SqliteDriver implements Driver {
  readonly #path: string;
  readonly #busyTimeout: number;
  readonly #caches: CacheBudget | undefined;
  readonly mutex = new WriterMutex();
  readonly slice = new TimeSlice();
  readonly onQuery: SqliteOptions['onQuery'];
  readonly #log: LogSync;
  readonly #checkpoints: Checkpoints;
  readonly #longReads = new LongReads(
    () => this.#open(),
    () => this.slice.next(),
  );
  #reader: Handle | undefined;
  #writer: Handle | undefined;
  constructor(path: string, { busyTimeout = 5000, onCheckpointError = () => {}, caches, onQuery }: SqliteOptions) {
    this.#path = path;
    this.onQuery = onQuery;
    this.#busyTimeout = busyTimeout;
    this.#caches = caches;
    this.#log = new LogSync(`${path}-wal`);
    this.#checkpoints = new Checkpoints(path, onCheckpointError);
  }

  get reader(): Handle {
    if (!this.#reader) throw new Error('the database is closed');
    return this.#reader;
  }

  get writer(): Handle {
    if (!this.#writer) throw new Error('the database is closed');
    return this.#writer;
  }

  async init(): Promise<void> {
    this.#writer = await this.#open();
    this.#reader = await this.#open();
  }

  /**
   * Runs `step`, repeatedly while another process has the database locked; the event loop is not blocked meanwhile.
   * @throws DatabaseError when it stays locked, or cannot be read or written
   */
  attempt<T>(step: () => T): T | Promise<T> {
    try {
      return step();
    } catch (error) {
      return this.#attemptAgain(step, error);
    }
  }

  async #attemptAgain<T>(step: () => T, first: unknown): Promise<T> {
    const deadline = performance.now() + this.#busyTimeout;
    let error = first;
    for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
      const failure = sqliteFailure(error);
      if (!failure) throw error;
      if (failure !== 'busy' || performance.now() > deadline) throw new DatabaseError(failure, error);
      await sleep(pause);
      try {
        return step();
      } catch (next) {
        error = next;
      }
    }
  }

  /** Reads outside a transaction. */
  read({ sql, parameters, isCached }: CompiledQuery & CachedQuery): QueryResult<unknown> | Promise<QueryResult<unknown>> {
    const read = this.attempt(() => this.reader.readAtOnce(sql, parameters, isCached));
    const orInSlices = (result: QueryResult<unknown> | undefined) => result ?? this.#longReads.read(sql, parameters);
    return read instanceof Promise ? read.then(orInSlices) : orInSlices(read);
  }

  /** Resolves when all commits are on disk. */
  async flush(): Promise<void> {
    this.#checkpoints.count();
    try {
      await this.#log.flush();
    } catch (error) {
      throw new DatabaseError('unavailable', error);
    }
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    connection.leave = await this.mutex.enter();
    try {
      await this.attempt(() => this.writer.database.exec('begin immediate'));
    } catch (error) {
      this.#release(connection);
      throw error;
    }
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    try {
      await this.attempt(() => this.writer.database.exec('commit'));
    } catch (error) {
      this.writer.rollback();
      throw error;
    } finally {
      this.#release(connection);
    }
    await this.flush();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    try {
      this.writer.rollback();
    } finally {
      this.#release(connection);
    }
  }

  async savepoint(connection: SqliteConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`));
  }

  async rollbackToSavepoint(connection: SqliteConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to "${name}"`));
  }

  async releaseSavepoint(connection: SqliteConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release "${name}"`));
  }

  #release(connection: SqliteConnection): void {
    const leave = connection.leave;
    connection.leave = undefined;
    connection.isOver = true;
    leave?.();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#checkpoints.close();
    await this.#log.close();
    this.#reader?.database.close();
    this.#writer?.database.close();
    this.#longReads.close();
    this.#reader = undefined;
    this.#writer = undefined;
  }

  async #open(): Promise<Handle> {
    const handle = new Handle(this.#path, this.#caches);
    await this.attempt(() => handle.configure());
    return handle;
  }
}

/**
 * Kysely over Node's own SQLite. Booleans and JSON are converted where the column is declared so. Statements that the database could not
 * run reject with DatabaseError.
 * @param path the database file, created when missing
 */
export function sqliteDialect(path: string, options: SqliteOptions = {}): Dialect {
  return {
    createAdapter: () => new TwoHandleAdapter(),
    createDriver: () => new SqliteDriver(path, options),
    createIntrospector: (db): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteStatements(),
  };
}
