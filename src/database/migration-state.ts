import { type Kysely, type RawBuilder, sql } from 'kysely';
import { databaseClock } from './clock.ts';
import type { MigrationPhase, SchemaMigration } from './migrations/schema-kit.ts';
import type { DialectName } from './options.ts';

/** A migration that has run on the database. */
export interface AppliedMigration {
  readonly name: string;
  /** The phase that the program recorded; null where it recorded none. */
  readonly phase: MigrationPhase | null;
}

/** A process without a heartbeat for this many milliseconds counts as dead; same as in processes/registry.ts. */
const GONE_AFTER_MS = 7000;

/** Whether a column exists; false where the table does not. */
async function hasColumn<T>(db: Kysely<T>, dialect: DialectName, table: string, column: string): Promise<boolean> {
  // Built, not raw: within a transaction, SQLite uses another connection for queries that only read.
  const any = db as unknown as Kysely<{ columns: { name: string } }>;
  const columns =
    dialect === 'sqlite'
      ? sql<{ name: string }>`(select name from pragma_table_info(${table}))`
      : sql<{ name: string }>`(select attname::text as name from pg_attribute where attrelid = to_regclass(${table}) and not attisdropped)`;
  const found = await any.selectFrom(columns.as('columns')).select('name').where('name', '=', column).executeTakeFirst();
  return found !== undefined;
}

/** The migrations that have run on a database; none for a new one. */
export async function appliedMigrations<T>(db: Kysely<T>, dialect: DialectName): Promise<AppliedMigration[]> {
  if (!(await hasColumn(db, dialect, 'kysely_migration', 'name'))) return [];
  const phase = (await hasColumn(db, dialect, 'kysely_migration', 'phase')) ? sql.ref('phase') : sql`null`;
  const any = db as unknown as Kysely<{ kysely_migration: AppliedMigration }>;
  return await any
    .selectFrom('kysely_migration')
    .select(['name', (phase as RawBuilder<AppliedMigration['phase']>).as('phase')])
    .orderBy('name')
    .execute();
}

/** Records which migrations older programs are compatible with. Not in their transaction: the next start repairs what a crash left out. */
export async function recordPhases<T>(db: Kysely<T>, dialect: DialectName, migrations: readonly SchemaMigration[]): Promise<void> {
  if (!(await hasColumn(db, dialect, 'kysely_migration', 'phase'))) return;
  const applied = new Map((await appliedMigrations(db, dialect)).map(({ name, phase }) => [name, phase]));
  for (const { name, phase } of migrations)
    if (phase !== undefined && applied.get(name) === null)
      await sql`update kysely_migration set phase = ${phase} where name = ${name} and phase is null`.execute(db);
}

/**
 * Describes the living processes whose program does not know a migration. On SQLite there is only one server: the lock of the data folder
 * guarantees it.
 */
export async function olderProcesses<T>(db: Kysely<T>, dialect: DialectName, schema: string): Promise<string[]> {
  if (dialect === 'sqlite' || !(await hasColumn(db, dialect, 'processes', 'heartbeat_at'))) return [];
  const known = (await hasColumn(db, dialect, 'processes', 'schema')) ? sql`coalesce(schema, '')` : sql`''`;
  const { rows } = await sql<{ id: number; role: string; host: string; pid: number; version: string }>`
    select id, role, host, pid, version from processes
    where heartbeat_at > ${databaseClock(dialect)} - ${GONE_AFTER_MS}::bigint and ${known} < ${schema} order by id`.execute(db);
  return rows.map(({ id, role, host, pid, version }) => `${role} ${id} on ${host} (pid ${pid}), ${version}`);
}
