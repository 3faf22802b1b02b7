import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { rowMaker, type ToRow } from './rows.ts';

const MAX_STATEMENTS = 600;
/** A writer that waits longer than this has most likely called itself from inside its own transaction. */
const WRITER_TIMEOUT_MS = 20_000;

/** A prepared statement, and what makes rows of the arrays of values that it returns, if it returns any. */
interface Prepared {
  statement: StatementSync;
  toRow: ToRow | undefined;
}

/** One SQLite handle with its statements. */
class Handle {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, busyTimeout: number) {
    this.database = new DatabaseSync(path, { timeout: busyTimeout });
    this.database.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -16000',
    );
  }

  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    const prepared = this.#prepare(sql);
    const values = parameters.map(toSqlite);
    if (!prepared.toRow) {
      const { changes, lastInsertRowid } = prepared.statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    const rows: unknown[] = prepared.statement.all(...values);
    return { rows: rows.map(prepared.toRow) };
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.database.prepare(sql);
    const columns = statement.columns();
    statement.setReturnArrays(true);
    const prepared = { statement, toRow: columns.length > 0 ? rowMaker(columns) : undefined };
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

/** Lets one writer at a time in, in the order they came. */
class Turnstile {
  #tail: Promise<void> = Promise.resolve();
  #busy = 0;

  get free(): boolean {
    return this.#busy === 0;
  }

  async enter(): Promise<() => void> {
    this.#busy++;
    const before = this.#tail;
    let leave = () => {};
    this.#tail = new Promise((resolve) => {
      leave = resolve;
    });
    if (this.#busy > 1) await this.#within(before, leave);
    return () => {
      this.#busy--;
      leave();
    };
  }

  async #within(before: Promise<void>, leave: () => void): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the database was not free to write in time')), WRITER_TIMEOUT_MS);
    });
    try {
      await Promise.race([before, late]);
    } catch (error) {
      this.#busy--;
      before.then(leave);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Reads outside a transaction go to a handle of their own and see what was last committed, as in PostgreSQL,
 * so they never wait for a writer. Writes and transactions take turns on the other handle.
 */
class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver;
  leave: (() => void) | undefined;
  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer, turnstile } = this.#driver;
    if (this.leave) return writer.run(query.sql, query.parameters) as QueryResult<R>;
    if (query.query.kind === 'SelectQueryNode') return reader.run(query.sql, query.parameters) as QueryResult<R>;
    const leave = await turnstile.enter();
    try {
      return writer.run(query.sql, query.parameters) as QueryResult<R>;
    } finally {
      leave();
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

class SqliteDriver implements Driver {
  readonly #path: string;
  readonly #busyTimeout: number;
  readonly turnstile = new Turnstile();
  #reader: Handle | undefined;
  #writer: Handle | undefined;
  constructor(path: string, busyTimeout: number) {
    this.#path = path;
    this.#busyTimeout = busyTimeout;
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
    this.#writer = new Handle(this.#path, this.#busyTimeout);
    this.#reader = new Handle(this.#path, this.#busyTimeout);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    connection.leave = await this.turnstile.enter();
    try {
      this.writer.database.exec('begin immediate');
    } catch (error) {
      this.#release(connection);
      throw error;
    }
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    try {
      this.writer.database.exec('commit');
    } catch (error) {
      if (this.writer.database.isTransaction) this.writer.database.exec('rollback');
      throw error;
    } finally {
      this.#release(connection);
    }
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    try {
      if (this.writer.database.isTransaction) this.writer.database.exec('rollback');
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
    leave?.();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#reader?.database.close();
    this.#writer?.database.close();
    this.#reader = undefined;
    this.#writer = undefined;
  }
}

/** SQLite's schema changes can be rolled back, so migrations run in one transaction; and this driver takes turns by itself. */
class TwoHandleAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Kysely over Node's own SQLite. Booleans and JSON come back as such where the column is declared so.
 * @param path the database file, made when it is missing
 * @param busyTimeout milliseconds to wait for another process to finish writing
 */
export function sqliteDialect(path: string, busyTimeout = 5000): Dialect {
  return {
    createAdapter: () => new TwoHandleAdapter(),
    createDriver: () => new SqliteDriver(path, busyTimeout),
    createIntrospector: (db): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
