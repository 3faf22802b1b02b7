import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely, type LogEvent } from 'kysely';
import { type MigrateOptions, type MigrationPlan, migrate, planMigrations, requireCompatible, schemaOf } from './migrate.ts';
import { appliedMigrations } from './migration-state.ts';
import type { SchemaMigration } from './migrations/schema-kit.ts';
import type { DatabaseOptions, DialectName } from './options.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** A connection or a transaction: the first parameter of every rule and query. */
export type Db = Kysely<Tables>;

/** Where the database is, and which schema it must have. */
export interface OpenOptions extends DatabaseOptions {
  /** The default is the migrations of this program; tests pass others. */
  readonly migrations?: readonly SchemaMigration[];
}

/** An open database whose schema is up to date. */
export interface Database {
  readonly dialect: DialectName;
  readonly db: Db;
  /** The number of connections in the pool, and of queries that wait for one; PostgreSQL only. */
  connections?(): { readonly used: number; readonly idle: number; readonly waiting: number };
  /** The last migration that this program knows. */
  readonly schema: string;
  /** Migrations that waited for processes of older versions when the database was opened. */
  readonly waiting: readonly string[];
  /** Runs the waiting migrations if no process of an older version runs; returns those that still wait. */
  migrateWaiting(): Promise<readonly string[]>;
  /**
   * Checks again whether this program is compatible with the schema: a newer program may have changed it before this process was registered.
   * @throws DatabaseVersionError
   */
  requireCompatible(): Promise<void>;
  close(): Promise<void>;
}

/** How long a start waits for incompatible processes of an older version; they may be stopping, or dead. */
const OLDER_WAIT_MS = 10_000;

/**
 * Opens the database and migrates its schema, as far as processes of older versions are compatible with it.
 * @throws DatabaseVersionError when a newer Copse has changed the database in an incompatible way
 * @throws OlderProcessesError when processes of older versions run that are not compatible with a required migration
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const dialect = dialectName(options);
  if (dialect === 'sqlite') prepareFile(options.file);
  const { onQuery } = options;
  const isLogged = onQuery && dialect === 'postgres';
  const log = isLogged && (({ query, queryDurationMillis }: LogEvent) => onQuery(query.query.kind, queryDurationMillis, query.sql));
  let connections: Database['connections'];
  const onPool = (state: NonNullable<Database['connections']>) => {
    connections = state;
  };
  const db = new Kysely<Tables>({ dialect: await dialectOf(options, onPool), ...(log && { log }) });
  const waiting = await bringUpToDate(options, db, dialect).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  return {
    dialect,
    db,
    ...(connections && { connections }),
    schema: schemaOf(options.migrations),
    waiting,
    migrateWaiting: async () => (await migrateDatabase(options)).waiting,
    requireCompatible: async () => {
      requireCompatible(await appliedMigrations(db, dialect), options.migrations);
    },
    close: () => db.destroy(),
  };
}

/** Returns the migrations that wait. SQLite's file is open already. */
async function bringUpToDate(options: OpenOptions, db: Db, dialect: DialectName): Promise<readonly string[]> {
  if (dialect === 'postgres') return (await migrateDatabase(options, { waitMs: OLDER_WAIT_MS })).waiting;
  const { migrations } = options;
  return (await migrate(db, dialect, migrations ? { migrations } : {})).pending.map(({ name }) => name);
}

/**
 * Brings the schema up to date, on a connection of its own.
 * @returns `waiting`: migrations that wait for processes of older versions
 * @throws DatabaseVersionError, OlderProcessesError as {@link openDatabase}
 */
export async function migrateDatabase(
  options: OpenOptions,
  how: Omit<MigrateOptions, 'migrations'> = {},
): Promise<{ done: readonly string[]; waiting: readonly string[]; older: readonly string[] }> {
  return await withMigrating(options, async (db, dialect, migrations) => {
    const before = await planMigrations(db, dialect, migrations);
    const { pending, older } = await migrate(db, dialect, { ...migrations, ...how });
    const waiting = pending.map(({ name }) => name);
    return { done: before.pending.map(({ name }) => name).filter((name) => !waiting.includes(name)), waiting, older };
  });
}

/**
 * Returns what {@link migrateDatabase} would do.
 * @throws DatabaseVersionError
 */
export async function checkMigrations(options: OpenOptions): Promise<MigrationPlan> {
  return await withMigrating(options, planMigrations);
}

/** Changing a large table takes longer than a statement may: PostgreSQL does it on a separate connection, past any pooler. */
async function withMigrating<T>(
  options: OpenOptions,
  task: (db: Db, dialect: DialectName, migrations: Pick<MigrateOptions, 'migrations'>) => Promise<T>,
): Promise<T> {
  const dialect = dialectName(options);
  if (dialect === 'sqlite') prepareFile(options.file);
  const url = options.directUrl || options.url;
  const db = new Kysely<Tables>({ dialect: await dialectOf({ ...options, url, statementTimeout: 0, maxConnections: 2 }) });
  const { migrations } = options;
  return await task(db, dialect, migrations ? { migrations } : {}).finally(() => db.destroy());
}

function dialectName({ url }: DatabaseOptions): DialectName {
  return url ? 'postgres' : 'sqlite';
}

/** Other users of the machine must not read the database. SQLite gives the files beside it the same permissions. */
function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (isOpenToOthers(path)) chmodSync(path, 0o600);
}

function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Loads the client of PostgreSQL only when needed: it takes memory and time. */
async function dialectOf(options: DatabaseOptions, onPool?: (state: NonNullable<Database['connections']>) => void): Promise<Dialect> {
  if (!options.url) {
    const { busyTimeout, caches, log, onQuery } = options;
    const onCheckpointError = (err: unknown) =>
      log?.warn({ err }, 'the write-ahead log of the database was not moved into it; this is tried again');
    return sqliteDialect(options.file, { busyTimeout, caches, onQuery, onCheckpointError });
  }
  const { postgresDialect } = await import('./postgres.ts');
  return postgresDialect(options, onPool);
}

/** Whether a statement failed because a unique index already has such a row. */
export function isUniqueViolation(error: unknown): boolean {
  // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY; unique_violation of PostgreSQL.
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 2067 || errcode === 1555 || code === '23505';
}

/** Whether PostgreSQL rolled back a transaction because of a deadlock (deadlock_detected, serialization_failure). */
export function isDeadlock(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40P01' || code === '40001';
}
