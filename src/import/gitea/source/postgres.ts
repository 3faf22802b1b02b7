import pg from 'pg';
import type { SourceDatabase } from '../config/app-ini.ts';
import { ImportError } from '../error.ts';
import { MAX_TEXT, Row } from './row.ts';
import type { Source } from './source.ts';

/** Milliseconds. */
const CONNECT_TIMEOUT = 10_000;
const TEXT_TYPES = new Set(['text', 'character varying', 'json', 'jsonb', 'character']);

/**
 * Opens a PostgreSQL database read-only: one transaction with one snapshot.
 * @throws ImportError
 */
export async function openPostgresSource(database: Extract<SourceDatabase, { type: 'postgres' }>): Promise<Source> {
  const { host, port, name, user, password, sslMode, schema } = database;
  const client = new pg.Client({
    host,
    port,
    database: name,
    user,
    password,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    ...(sslMode !== 'disable' && { ssl: { rejectUnauthorized: sslMode.startsWith('verify') } }),
  });
  try {
    await client.connect();
    await client.query('begin transaction isolation level repeatable read, read only');
    return new PostgresSource(client, schema);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new ImportError(`the database ${name} on ${host} cannot be read: ${(error as Error).message}`);
  }
}

class PostgresSource implements Source {
  readonly #client: pg.Client;
  readonly #schema: string;
  readonly #columns = new Map<string, string[]>();

  constructor(client: pg.Client, schema: string) {
    this.#client = client;
    this.#schema = schema;
  }

  async has(table: string): Promise<boolean> {
    return (await this.#columnsOf(table)).length > 0;
  }

  async count(table: string): Promise<number> {
    if (!(await this.has(table))) return 0;
    const { rows } = await this.#client.query(`select count(*) as total from ${this.#table(table)}`);
    return Number(rows[0]?.total ?? 0);
  }

  rows(table: string, after: number, limit: number): Promise<Row[]> {
    return this.#select(table, 'where id > $1 order by id limit $2', [after, limit]);
  }

  rowsWith(table: string, column: string, values: readonly (number | string)[]): Promise<Row[]> {
    const type = typeof values[0] === 'string' ? 'text' : 'bigint';
    return this.#select(table, `where ${quoted(column)} = any ($1::${type}[])`, [values]);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #select(table: string, rest: string, values: unknown[]): Promise<Row[]> {
    const columns = await this.#columnsOf(table);
    if (columns.length === 0) return [];
    const { rows } = await this.#client.query(`select ${columns.join(', ')} from ${this.#table(table)} ${rest}`, values);
    return rows.map((row) => new Row(row));
  }

  async #columnsOf(table: string): Promise<string[]> {
    const known = this.#columns.get(table);
    if (known) return known;
    const { rows } = await this.#client.query(
      `select column_name, data_type from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = $1 and table_name = $2 and table_type = 'BASE TABLE'`,
      [this.#schema, table],
    );
    const made = rows.map(({ column_name: name, data_type: type }) => {
      const column = quoted(String(name));
      return TEXT_TYPES.has(String(type)) ? `left(${column}::text, ${MAX_TEXT + 1}) as ${column}` : column;
    });
    this.#columns.set(table, made);
    return made;
  }

  #table(table: string): string {
    return `${quoted(this.#schema)}.${quoted(table)}`;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
