import type { Kysely } from 'kysely';
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
 * @throws DatabaseVersionError when the database knows migrations that this program does not
 */
export async function migrate<T>(db: Kysely<T>, dialect: DialectName): Promise<void> {
  const known: Record<string, Migration> = {};
  for (const { name, up } of migrations) {
    known[name] = { up: (transaction) => up(new SchemaKit(transaction as Kysely<unknown>, dialect)) };
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known }, allowUnorderedMigrations: false });
  const applied = await migrator.getMigrations();
  const unknown = applied.length > 0 ? await unknownMigrations(db, known) : [];
  if (unknown.length > 0) {
    throw new DatabaseVersionError(`the database was used by a newer version: it has ${unknown.join(', ')}, which this one does not know`);
  }
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

async function unknownMigrations<T>(db: Kysely<T>, known: Record<string, Migration>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name).filter((name) => !(name in known));
}
