import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type Column,
  type ColumnType,
  inOrder,
  isCopied,
  isWordTable,
  type Row,
  sortColumns,
  type TableShape,
  type Value,
} from './shape.ts';
import { type RowSource, ValueError } from './source.ts';

/** Rows that are read at a time; long ones fewer. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2 ** 20;
/** A process without a heartbeat for this long has ended, in milliseconds (processes/registry.ts). */
const GONE_AFTER_MS = 7000;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a SQLite database for reading: a separate connection in one read transaction sees one snapshot, and writers do not wait.
 * @throws Error when there is no such file
 */
export function openSqliteSource(file: string): RowSource {
  if (!existsSync(file)) throw new Error(`there is no database ${file}`);
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma query_only = on; begin');
    // The first read determines the snapshot.
    const tables = inOrder(tablesOf(database));
    return new SqliteSource(database, tables);
  } catch (error) {
    database.close();
    throw error;
  }
}

function texts(database: DatabaseSync, query: string): string[] {
  return database
    .prepare(query)
    .all()
    .map((row) => String(Object.values(row)[0]));
}

/** The tables that are copied row by row: neither virtual tables nor their shadow tables. */
export function tablesOf(database: DatabaseSync): TableShape[] {
  const names = texts(database, "select name from pragma_table_list where schema = 'main' and type = 'table' order by name");
  return names.filter(isCopied).map((name) => ({ name, columns: columnsOf(database, name) }));
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  const rows = database.prepare(`pragma table_info(${quoted(table)})`).all();
  return sortColumns(rows.map(({ name, type }) => ({ name: String(name), type: typeOf(String(type), `${table}.${name}`) })));
}

function typeOf(declared: string, column: string): ColumnType {
  const types: Record<string, ColumnType> = { integer: 'integer', text: 'text', boolean: 'boolean', json: 'json', blob: 'bytes' };
  const type = types[declared.toLowerCase()];
  if (type === undefined) throw new ValueError(`${column} has the type ${declared}, which cannot be copied`);
  return type;
}

class SqliteSource implements RowSource {
  readonly dialect = 'sqlite';
  readonly tables: readonly TableShape[];
  readonly migrations: readonly string[];
  readonly sequences: ReadonlyMap<string, number>;
  readonly #database: DatabaseSync;
  constructor(database: DatabaseSync, tables: readonly TableShape[]) {
    this.#database = database;
    this.tables = tables;
    this.migrations = texts(database, 'select name from kysely_migration order by name');
    const given = database.prepare('select name, seq from sqlite_sequence').all();
    this.sequences = new Map(given.map(({ name, seq }) => [String(name), Number(seq)]));
  }

  async count({ name }: TableShape): Promise<number> {
    return Number(this.#database.prepare(`select count(*) as count from ${quoted(name)}`).get()?.count);
  }

  async *rows({ name, columns }: TableShape): AsyncGenerator<readonly Row[]> {
    // The key of full-text indexes is the id of the indexed row.
    const list = isWordTable(name) ? 'rowid' : columns.map((column) => quoted(column.name)).join(', ');
    const statement = this.#database.prepare(`select ${list} from ${quoted(name)}`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    let batch: Row[] = [];
    let size = 0;
    for (const values of statement.iterate() as unknown as Iterable<SQLOutputValue[]>) {
      const row = columns.map((column, at) => portable(values[at] ?? null, column, name));
      for (const value of row) size += typeof value === 'string' ? value.length : 8;
      batch.push(row);
      if (batch.length < BATCH_ROWS && size < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      size = 0;
      await nextTick();
    }
    if (batch.length > 0) yield batch;
  }

  async livingProcesses(): Promise<string[]> {
    return texts(
      this.#database,
      `select role || ' ' || id || ' on ' || host || ' (pid ' || pid || ')' from processes
       where heartbeat_at > unixepoch('subsec') * 1000 - ${GONE_AFTER_MS} order by id`,
    );
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/** @throws ValueError */
function portable(value: SQLOutputValue, { name, type }: Column, table: string): Value {
  if (value === null) return null;
  const wrong = () => new ValueError(`${table}.${name} has a value that is not of the type ${type}: ${String(value).slice(0, 100)}`);
  switch (type) {
    case 'integer':
      if (typeof value !== 'bigint') throw wrong();
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'boolean':
      if (value !== 0n && value !== 1n) throw wrong();
      return value === 1n;
    case 'text':
      if (typeof value !== 'string') throw wrong();
      return value;
    case 'json':
      // SQLite stores a numeric text as a number.
      if (value instanceof Uint8Array) throw wrong();
      return String(value);
    case 'bytes':
      if (!(value instanceof Uint8Array)) throw wrong();
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
}
