import pg from 'pg';
import { beginUnlimited, connectForRows, livingProcesses, tablesOf } from './postgres-source.ts';
import { type Column, inOrder, isOfDerived, type Row, type TableShape, type Value } from './shape.ts';
import { ValueError } from './source.ts';
import { type RowTarget, TargetNotEmptyError } from './target.ts';

const quoted = (name: string) => pg.escapeIdentifier(name);
/** The type of an array with the values of a column. */
const ARRAYS: Readonly<Record<Column['type'], string>> = {
  integer: 'bigint[]',
  text: 'text[]',
  boolean: 'boolean[]',
  json: 'text[]',
  bytes: 'text[]',
};

/**
 * Opens a PostgreSQL database with an up-to-date schema for all rows of another one. Rows come in any order, so foreign keys are dropped
 * and recreated at the end, when they are checked all at once.
 * @param isReplaced deletes what an interrupted attempt has written
 * @throws TargetNotEmptyError
 */
export async function openPostgresTarget(url: string, isReplaced = false): Promise<RowTarget> {
  const client = await connectForRows(url);
  try {
    await beginUnlimited(client);
    const { rows: used } = await client.query('select 1 from users union all select 1 from repositories limit 1');
    if (used.length > 0 && !isReplaced) throw new TargetNotEmptyError('the target database is not empty');
    const [living] = await livingProcesses(client);
    if (living !== undefined) throw new TargetNotEmptyError(`the target database is in use: stop ${living} first`);
    const tables = await tablesOf(client);
    const keys = await statements(client, FOREIGN_KEYS);
    for (const { off } of keys) await client.query(off);
    const triggers = (await statements(client, TRIGGERS)).filter(({ name }) => !isOfDerived(name));
    for (const { off } of triggers) await client.query(off);
    // The source has the rows that migrations insert.
    const derived = isReplaced ? DERIVED_TABLES : [];
    await client.query(`truncate ${[...tables.map(({ name }) => quoted(name)), ...derived].join(', ')}`);
    return new PostgresTarget(
      client,
      inOrder(tables),
      [...keys, ...triggers].map(({ on }) => on),
    );
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Rows that triggers and the full-text index write. */
const DERIVED_TABLES = ['account_counts', 'address_counts', 'repository_counts', 'comment_words', 'issue_words'];

const OF_THE_SCHEMA = 'connamespace = current_schema()::regnamespace';
const FOREIGN_KEYS = `select conname,
  format('alter table %s drop constraint %I', conrelid::regclass, conname),
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where contype = 'f' and ${OF_THE_SCHEMA} order by conname`;
const TRIGGERS = `select tgname,
  format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
  format('alter table %s enable trigger %I', tgrelid::regclass, tgname)
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where not tgisinternal and relnamespace = current_schema()::regnamespace order by tgname`;

async function statements(client: pg.Client, query: string): Promise<{ name: string; off: string; on: string }[]> {
  const { rows } = await client.query<[string, string, string]>({ text: query, rowMode: 'array' });
  return rows.map(([name, off, on]) => ({ name, off, on }));
}

class PostgresTarget implements RowTarget {
  readonly tables: readonly TableShape[];
  readonly #client: pg.Client;
  readonly #atEnd: readonly string[];
  constructor(client: pg.Client, tables: readonly TableShape[], atEnd: readonly string[]) {
    this.#client = client;
    this.tables = tables;
    this.#atEnd = atEnd;
  }

  async write(table: TableShape, rows: readonly Row[]): Promise<void> {
    const { name, columns } = table;
    const arrays = columns.map((column, at) => rows.map((row) => postgresValue(row[at] ?? null, column, name)));
    const names = columns.map((column) => quoted(column.name)).join(', ');
    const values = columns.map((column) => inserted(column)).join(', ');
    const given = columns.map(({ type }, at) => `$${at + 1}::${ARRAYS[type]}`).join(', ');
    await this.#client.query(`insert into ${quoted(name)} (${names}) select ${values} from unnest(${given}) as given (${names})`, arrays);
  }

  async finish(sequences: ReadonlyMap<string, number>): Promise<void> {
    for (const statement of this.#atEnd) await this.#client.query(statement);
    for (const [table, last] of sequences) {
      if (last > 0) await this.#client.query(`select setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)`, [table, last]);
    }
    await this.#client.query('commit');
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

function inserted({ name, type }: Column): string {
  const column = `given.${quoted(name)}`;
  if (type === 'bytes') return `decode(${column}, 'base64')`;
  return type === 'json' ? `${column}::json` : column;
}

/** @throws ValueError */
function postgresValue(value: Value, { name }: Column, table: string): Value {
  if (typeof value === 'string' && value.includes('\0'))
    throw new ValueError(
      `${table}.${name} has a NUL character in it, which PostgreSQL cannot keep: ${JSON.stringify(value).slice(0, 100)}`,
    );
  return value;
}
