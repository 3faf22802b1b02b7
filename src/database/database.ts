import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely } from 'kysely';
import { migrate } from './migrate.ts';
import type { DatabaseOptions, DialectName } from './options.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** A connection or a transaction: what every rule and query takes. */
export type Db = Kysely<Tables>;

/** An open database whose schema is up to date. */
export interface Database {
  readonly dialect: DialectName;
  readonly db: Db;
  close(): Promise<void>;
}

/**
 * Opens the database and brings its schema up to date.
 * @param upTo the name of the migration after which the schema is left as it is, for rows of an older version
 * @throws DatabaseVersionError when a newer Copse has used the database
 */
export async function openDatabase(options: DatabaseOptions, upTo?: string): Promise<Database> {
  const dialect: DialectName = options.url ? 'postgres' : 'sqlite';
  if (dialect === 'sqlite') prepareFile(options.file);
  // Changes of large tables take longer than a statement may: PostgreSQL makes them on a connection of their own.
  if (dialect === 'postgres') {
    const url = options.directUrl || options.url;
    const migrating = new Kysely<Tables>({ dialect: await dialectOf({ ...options, url, statementTimeout: 0, maxConnections: 2 }) });
    await migrate(migrating, dialect, upTo).finally(() => migrating.destroy());
  }
  const db = new Kysely<Tables>({ dialect: await dialectOf(options) });
  try {
    if (dialect === 'sqlite') await migrate(db, dialect, upTo);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { dialect, db, close: () => db.destroy() };
}

/** Other users of the machine may not read the database. SQLite gives the files beside it the same permissions when it makes them. */
function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (isOpenToOthers(path)) chmodSync(path, 0o600);
}

function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** The client of PostgreSQL takes memory and time to load, which SQLite need not spend. */
async function dialectOf(options: DatabaseOptions): Promise<Dialect> {
  if (!options.url) {
    return sqliteDialect(options.file, options.busyTimeout, (error) =>
      options.log?.warn({ err: error }, 'the write-ahead log of the database was not moved into it; this is tried again'),
    );
  }
  const { postgresDialect } = await import('./postgres.ts');
  return postgresDialect(options);
}

/** Whether a statement failed because a unique index has such a row already. */
export function isUniqueViolation(error: unknown): boolean {
  // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY; unique_violation of PostgreSQL.
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 2067 || errcode === 1555 || code === '23505';
}

/** Whether PostgreSQL undid a transaction because it and another waited for each other (deadlock_detected, serialization_failure). */
export function isDeadlock(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40P01' || code === '40001';
}
