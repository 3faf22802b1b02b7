import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Column, inOrder, isOfDerived, type Row, type TableShape, type Value } from './shape.ts';
import { tablesOf } from './sqlite-source.ts';
import { type RowTarget, TargetNotEmptyError } from './target.ts';

/** Rows that are written before others get the thread. */
const SLICE_ROWS = 100;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a SQLite database with an up-to-date schema for all rows of another one.
 * @throws TargetNotEmptyError
 */
export function openSqliteTarget(file: string): RowTarget {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma foreign_keys = off; pragma synchronous = full; begin exclusive');
    const tables = tablesOf(database);
    const triggers = database.prepare("select name, sql from sqlite_master where type = 'trigger' order by rowid").all();
    const paused = triggers.map(({ name, sql }) => ({ name: String(name), sql: String(sql) })).filter(({ name }) => !isOfDerived(name));
    for (const { name } of paused) database.exec(`drop trigger ${quoted(name)}`);
    requireEmpty(database, tables);
    return new SqliteTarget(
      database,
      inOrder(tables),
      paused.map(({ sql }) => sql),
    );
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The source has the rows that migrations insert. A database without accounts has not been used. */
function requireEmpty(database: DatabaseSync, tables: readonly TableShape[]): void {
  const used = ['users', 'repositories'].some((table) => database.prepare(`select 1 from ${quoted(table)} limit 1`).get());
  if (used) throw new TargetNotEmptyError('the target database is not empty');
  for (const { name } of tables) database.exec(`delete from ${quoted(name)}`);
}

class SqliteTarget implements RowTarget {
  readonly tables: readonly TableShape[];
  readonly #database: DatabaseSync;
  readonly #triggers: readonly string[];
  #statement: { readonly table: TableShape; readonly insert: StatementSync } | undefined;
  constructor(database: DatabaseSync, tables: readonly TableShape[], triggers: readonly string[]) {
    this.#database = database;
    this.tables = tables;
    this.#triggers = triggers;
  }

  async write(table: TableShape, rows: readonly Row[]): Promise<void> {
    const { columns } = table;
    const insert = this.#insertInto(table);
    for (const [at, row] of rows.entries()) {
      insert.run(...columns.map(({ type }, index) => sqliteValue(row[index] ?? null, type)));
      if (at % SLICE_ROWS === SLICE_ROWS - 1) await nextTick();
    }
  }

  async finish(sequences: ReadonlyMap<string, number>): Promise<void> {
    const database = this.#database;
    for (const sql of this.#triggers) database.exec(sql);
    const update = database.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?');
    const insert = database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)');
    for (const [table, last] of sequences) if (update.run(last, table).changes === 0) insert.run(table, last);
    const broken = database.prepare('pragma foreign_key_check').get();
    if (broken) throw new Error(`a row of ${broken.table} refers to a row of ${broken.parent} that is not there`);
    database.exec('commit');
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #insertInto(table: TableShape): StatementSync {
    if (this.#statement?.table.name !== table.name) {
      const names = table.columns.map(({ name }) => quoted(name));
      const values = names.map(() => '?').join(', ');
      const insert = this.#database.prepare(`insert into ${quoted(table.name)} (${names.join(', ')}) values (${values})`);
      this.#statement = { table, insert };
    }
    return this.#statement.insert;
  }
}

function sqliteValue(value: Value, type: Column['type']): SQLInputValue {
  if (value === null) return null;
  if (type === 'bytes') return Buffer.from(String(value), 'base64');
  if (type === 'integer') return BigInt(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value;
}
