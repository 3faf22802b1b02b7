import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import { SchemaKit } from './migrations/schema-kit.ts';
import type { DialectName } from './options.ts';

/** The database was written by a newer version of the program. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError';
}

/**
 * Runs the migrations that the database lacks: all in one transaction, under a lock, so that of several
 * processes that start at once one does the work and the others wait.
 * @param upTo the name of the last migration that is run; all of them when left out
 * @throws DatabaseVersionError when the database knows migrations that this program does not
 */
export async function migrate<T>(db: Kysely<T>, dialect: DialectName, upTo?: string): Promise<void> {
  const known: Record<string, Migration> = {};
  for (const { name, up } of migrations) {
    known[name] = { up: (transaction) => up(new SchemaKit(transaction as Kysely<unknown>, dialect)) };
  }
  const applied = await appliedMigrations(db, dialect);
  const unknown = applied.filter((name) => !(name in known));
  if (unknown.length > 0) {
    throw new DatabaseVersionError(`the database was used by a newer version: it has ${unknown.join(', ')}, which this one does not know`);
  }
  // The migrator itself reads the columns of every table several times, at each start.
  if (applied.length === migrations.length || applied.includes(upTo ?? '')) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known }, allowUnorderedMigrations: false });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error;
}

/** The names of the migrations that the database has; none when it is new. */
async function appliedMigrations<T>(db: Kysely<T>, dialect: DialectName): Promise<string[]> {
  const table =
    dialect === 'postgres'
      ? sql`select 1 where to_regclass('kysely_migration') is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`;
  const { rows: found } = await table.execute(db);
  if (found.length === 0) return [];
  const rows = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}
