import pg from 'pg';
import { DatabaseError, postgresFailure } from '../../database/errors.ts';
import { type Column, type ColumnType, inOrder, isCopied, type Row, sortColumns, type TableShape, type Value } from './shape.ts';
import { type RowSource, ValueError } from './source.ts';

/** Rows that are read at first, and at most, at a time. */
const BATCH_ROWS = { first: 20, most: 1000 };
/** Characters that rows read at a time should have. */
const BATCH_CHARACTERS = 2 ** 20;
/** A process without a heartbeat for this long has ended, in milliseconds (processes/registry.ts). */
const GONE_AFTER_MS = 7000;

const asText = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

/**
 * A connection on which every value comes as PostgreSQL writes it.
 * @throws DatabaseError
 */
export async function connectForRows(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: asText, keepAlive: true, connectionTimeoutMillis: 10_000 });
  // A connection that ends fails its next query; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const failure = postgresFailure(error);
    throw failure ? new DatabaseError(failure, error) : error;
  }
  return client;
}

/** Statements within the transaction have no time limit, and neither have pauses between them. */
const NO_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0';

/** Begins a transaction without time limits. */
export async function beginUnlimited(client: pg.Client, mode = ''): Promise<void> {
  await client.query(`begin ${mode}`);
  await client.query(NO_LIMITS);
}

/** Opens a PostgreSQL database for reading, in one transaction with one snapshot. */
export async function openPostgresSource(url: string): Promise<RowSource> {
  const client = await connectForRows(url);
  try {
    await beginUnlimited(client, 'isolation level repeatable read, read only');
    const tables = inOrder(await tablesOf(client));
    const migrations = await texts(client, 'select name from kysely_migration order by name');
    return new PostgresSource(client, { tables, migrations, sequences: await sequencesOf(client, tables) });
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function texts(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text: query, rowMode: 'array' });
  return rows.map(([text]) => text);
}

/** The tables of the current schema that are copied row by row. */
export async function tablesOf(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<[string, string, string]>({
    text: `select table_name, column_name, data_type from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    rowMode: 'array',
  });
  const columns = new Map<string, Column[]>();
  for (const [table, name, type] of rows) {
    if (!isCopied(table)) continue;
    const known = columns.get(table) ?? [];
    known.push({ name, type: typeOf(type, `${table}.${name}`) });
    columns.set(table, known);
  }
  return [...columns].map(([name, list]) => ({ name, columns: sortColumns(list) }));
}

/** The registered processes that send heartbeats, in words. */
export async function livingProcesses(client: pg.Client): Promise<string[]> {
  return await texts(
    client,
    `select role || ' ' || id || ' on ' || host || ' (pid ' || pid || ')' from processes
     where heartbeat_at > extract(epoch from clock_timestamp()) * 1000 - ${GONE_AFTER_MS} order by id`,
  );
}

function typeOf(declared: string, column: string): ColumnType {
  const types: Record<string, ColumnType> = { bigint: 'integer', text: 'text', boolean: 'boolean', json: 'json', bytea: 'bytes' };
  const type = types[declared];
  if (type === undefined) throw new ValueError(`${column} has the type ${declared}, which cannot be copied`);
  return type;
}

/** The sequences behind automatic ids are not part of the snapshot: they may be later, which does no harm. */
async function sequencesOf(client: pg.Client, tables: readonly TableShape[]): Promise<Map<string, number>> {
  const { rows } = await client.query<[string, string]>({
    text: `select tables.name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(tables.name), 'id')::regclass)
      from unnest($1::text[]) as tables (name)
      where pg_get_serial_sequence(quote_ident(tables.name), 'id') is not null`,
    values: [tables.filter(({ columns }) => columns.some(({ name }) => name === 'id')).map(({ name }) => name)],
    rowMode: 'array',
  });
  return new Map(rows.filter(([, last]) => last !== null).map(([name, last]) => [name, Number(last)]));
}

class PostgresSource implements RowSource {
  readonly dialect = 'postgres';
  readonly tables: readonly TableShape[];
  readonly migrations: readonly string[];
  readonly sequences: ReadonlyMap<string, number>;
  readonly #client: pg.Client;
  constructor(client: pg.Client, state: Pick<RowSource, 'tables' | 'migrations' | 'sequences'>) {
    this.#client = client;
    this.tables = state.tables;
    this.migrations = state.migrations;
    this.sequences = state.sequences;
  }

  async count({ name }: TableShape): Promise<number> {
    return Number((await texts(this.#client, `select count(*) from ${pg.escapeIdentifier(name)}`))[0]);
  }

  async *rows({ name, columns }: TableShape): AsyncGenerator<readonly Row[]> {
    const list = columns.map((column) => selected(column)).join(', ');
    await this.#client.query(`declare copied no scroll cursor for select ${list} from ${pg.escapeIdentifier(name)}`);
    try {
      for (let count = BATCH_ROWS.first; ; ) {
        const { rows } = await this.#client.query<(string | null)[]>({ text: `fetch ${count} from copied`, rowMode: 'array' });
        if (rows.length === 0) return;
        count = nextCount(rows);
        yield rows.map((values) => columns.map(({ type }, at) => portable(values[at] ?? null, type)));
      }
    } finally {
      await this.#client.query('close copied').catch(() => {});
    }
  }

  async livingProcesses(): Promise<string[]> {
    return await livingProcesses(this.#client);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

/** The number of rows of a batch if they are as long as the last ones. */
function nextCount(rows: readonly (readonly (string | null)[])[]): number {
  let size = 1;
  for (const row of rows) for (const value of row) size += value?.length ?? 1;
  return Math.min(BATCH_ROWS.most, Math.max(1, Math.floor((rows.length * BATCH_CHARACTERS) / size)));
}

function selected({ name, type }: Column): string {
  const column = pg.escapeIdentifier(name);
  return type === 'bytes' ? `translate(encode(${column}, 'base64'), E'\\n', '')` : column;
}

function portable(value: string | null, type: ColumnType): Value {
  if (value === null || type === 'text' || type === 'bytes') return value;
  if (type === 'boolean') return value === 't';
  if (type === 'integer') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  // In the form of SQLite.
  return /^-?\d/.test(value) ? String(Number(value)) : value;
}
