import { DatabaseSync } from 'node:sqlite';
import { ImportError } from '../error.ts';
import { MAX_TEXT, Row } from './row.ts';
import type { Source } from './source.ts';

/** Values per condition. */
const MAX_VALUES = 5000;

/**
 * Opens a SQLite database read-only.
 * @throws ImportError
 */
export async function openSqliteSource(file: string): Promise<Source> {
  try {
    const database = new DatabaseSync(file, { readOnly: true, allowExtension: false, timeout: 2000 });
    // Definitions in the file itself cannot run unsafe functions.
    database.exec('pragma trusted_schema = off; pragma query_only = on; begin');
    database.prepare('select count(*) from sqlite_master').get();
    return new SqliteSource(database);
  } catch (error) {
    throw new ImportError(`the database ${file} cannot be read: ${(error as Error).message}`);
  }
}

class SqliteSource implements Source {
  readonly #database: DatabaseSync;
  readonly #columns = new Map<string, string[]>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async has(table: string): Promise<boolean> {
    return this.#columnsOf(table).length > 0;
  }

  async count(table: string): Promise<number> {
    if (!(await this.has(table))) return 0;
    const row = this.#database.prepare(`select count(*) as total from ${quoted(table)}`).get();
    return Number(row?.total ?? 0);
  }

  async rows(table: string, after: number, limit: number): Promise<Row[]> {
    return this.#select(table, 'where id > ? order by id limit ?', [after, limit]);
  }

  async rowsWith(table: string, column: string, values: readonly (number | string)[]): Promise<Row[]> {
    const found: Row[] = [];
    for (let at = 0; at < values.length; at += MAX_VALUES) {
      const some = values.slice(at, at + MAX_VALUES);
      found.push(...this.#select(table, `where ${quoted(column)} in (${some.map(() => '?').join()})`, some));
    }
    return found;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #select(table: string, rest: string, values: readonly (number | string)[]): Row[] {
    const columns = this.#columnsOf(table);
    if (columns.length === 0) return [];
    const statement = this.#database.prepare(`select ${columns.join(', ')} from ${quoted(table)} ${rest}`);
    statement.setReadBigInts(true);
    return statement.all(...values).map((row) => new Row(row));
  }

  /** The expressions that read the columns of a table; none for a view. */
  #columnsOf(table: string): string[] {
    const known = this.#columns.get(table);
    if (known) return known;
    const isTable = this.#database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table);
    const columns = isTable ? this.#database.prepare('select name, type from pragma_table_info(?)').all(table) : [];
    const made = columns.map(({ name, type }) => {
      const column = quoted(String(name));
      return /int/i.test(String(type)) ? column : `substr(${column}, 1, ${MAX_TEXT + 1}) as ${column}`;
    });
    this.#columns.set(table, made);
    return made;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
