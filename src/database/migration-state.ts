import { type Kysely, type RawBuilder, sql } from 'kysely';
import { databaseClock } from './clock.ts';
import type { MigrationPhase, SchemaMigration } from './migrations/schema-kit.ts';
import type { DialectName } from './options.ts';

/** A migration that the database has. */
export interface AppliedMigration {
  readonly name: string;
  /** As the program said that made it; null where it said nothing. */
  readonly phase: MigrationPhase | null;
}

/** A process without a heartbeat for so long is gone, in milliseconds; as in processes/registry.ts. */
const GONE_AFTER_MS = 7000;

/** Whether there is a column; false where there is no such table. */
async function hasColumn<T>(db: Kysely<T>, dialect: DialectName, table: string, column: string): Promise<boolean> {
  // Built, not raw: within a transaction, SQLite has another connection for queries that only read.
  const any = db as unknown as Kysely<{ columns: { name: string } }>;
  const columns =
    dialect === 'sqlite'
      ? sql<{ name: string }>`(select name from pragma_table_info(${table}))`
      : sql<{ name: string }>`(select attname::text as name from pg_attribute where attrelid = to_regclass(${table}) and not attisdropped)`;
  const found = await any.selectFrom(columns.as('columns')).select('name').where('name', '=', column).executeTakeFirst();
  return found !== undefined;
}

/** The migrations of a database; none for a new one. */
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

/** Writes down which migrations older programs can live with. Not in their transaction: the next start does what a crash left out. */
export async function recordPhases<T>(db: Kysely<T>, dialect: DialectName, migrations: readonly SchemaMigration[]): Promise<void> {
  if (!(await hasColumn(db, dialect, 'kysely_migration', 'phase'))) return;
  const applied = new Map((await appliedMigrations(db, dialect)).map(({ name, phase }) => [name, phase]));
  for (const { name, phase } of migrations)
    if (phase !== undefined && applied.get(name) === null)
      await sql`update kysely_migration set phase = ${phase} where name = ${name} and phase is null`.execute(db);
}

/**
 * The living processes whose program does not know a migration, in words. On SQLite there is one server, which the lock of the data folder
 * keeps alone.
 */
export async function olderProcesses<T>(db: Kysely<T>, dialect: DialectName, schema: string): Promise<string[]> {
  if (dialect === 'sqlite' || !(await hasColumn(db, dialect, 'processes', 'heartbeat_at'))) return [];
  const known = (await hasColumn(db, dialect, 'processes', 'schema')) ? sql`coalesce(schema, '')` : sql`''`;
  const { rows } = await sql<{ id: number; role: string; host: string; pid: number; version: string }>`
    select id, role, host, pid, version from processes
    where heartbeat_at > ${databaseClock(dialect)} - ${GONE_AFTER_MS}::bigint and ${known} < ${schema} order by id`.execute(db);
  return rows.map(({ id, role, host, pid, version }) => `${role} ${id} on ${host} (pid ${pid}), ${version}`);
}
