import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type AppliedMigration, appliedMigrations, olderProcesses, recordPhases } from './migration-state.ts';
import { migrations as allMigrations } from './migrations/index.ts';
import { type MigrationPhase, SchemaKit, type SchemaMigration } from './migrations/schema-kit.ts';
import type { DialectName } from './options.ts';

/** The database was written by a newer version of the program, which this one cannot live with. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError';
}

/** Processes of an older version run that cannot live with a migration. */
export class OlderProcessesError extends Error {
  override readonly name = 'OlderProcessesError';
}

/** What there is to do in a database. */
export interface MigrationPlan {
  /** In this order. */
  readonly pending: readonly { readonly name: string; readonly phase: MigrationPhase | undefined }[];
  /** Migrations that this program does not know, and can live with. */
  readonly newer: readonly string[];
  /** Processes that do not know all of what is pending: `server 7 on host (pid 1), 0.1.0`. */
  readonly older: readonly string[];
}

/** How {@link migrate} goes about it. */
export interface MigrateOptions {
  /** Those of this program, when left out. */
  readonly migrations?: readonly SchemaMigration[];
  /** Also makes those that older processes cannot live with, while such processes run. */
  readonly force?: boolean;
  /** How long it waits for older processes that stop, in milliseconds, before it refuses. */
  readonly waitMs?: number;
}

/** The name of the last migration that a program knows. */
export function schemaOf(migrations: readonly SchemaMigration[] = allMigrations): string {
  return migrations.at(-1)?.name ?? '';
}

/** The migrations of this program that have these names, for rows of an older version. */
export function migrationsOf(names: readonly string[]): readonly SchemaMigration[] {
  return allMigrations.filter(({ name }) => names.includes(name));
}

/**
 * What {@link migrate} has to do.
 * @throws DatabaseVersionError when a newer program has made a migration that this one cannot live with
 */
export async function planMigrations<T>(db: Kysely<T>, dialect: DialectName, options: MigrateOptions = {}): Promise<MigrationPlan> {
  const { migrations = allMigrations } = options;
  const applied = await appliedMigrations(db, dialect);
  const newer = requireCompatible(applied, migrations);
  const pending = migrations.filter(({ name }) => !applied.some((row) => row.name === name));
  const last = pending.at(-1)?.name;
  const older = last === undefined || applied.length === 0 ? [] : await olderProcesses(db, dialect, last);
  return { pending: pending.map(({ name, phase }) => ({ name, phase })), newer, older };
}

/**
 * Runs the migrations that the database lacks, under a lock, so that of several processes that start at once one does the work and the
 * others wait. Those that older programs can live with are one transaction, made at once; those that remove what older programs need are
 * another, made once no process of an older program runs. What came before there were phases waits for older processes to stop.
 * @throws DatabaseVersionError when a newer program has made a migration that this one cannot live with
 * @throws OlderProcessesError when older processes go on
 */
export async function migrate<T>(db: Kysely<T>, dialect: DialectName, options: MigrateOptions = {}): Promise<MigrationPlan> {
  const { migrations = allMigrations, force = false } = options;
  const plan = await withoutOlder(db, dialect, options);
  const { pending, older } = plan;
  if (pending.length === 0) {
    await recordPhases(db, dialect, migrations);
    return plan;
  }
  const isNew = (await appliedMigrations(db, dialect)).length === 0;
  const early = isNew ? pending : pending.filter(({ phase }) => phase !== 'contract');
  if (early.length > 0) await run(db, dialect, migrations, early);
  const late = isNew ? [] : pending.filter(({ phase }) => phase === 'contract');
  if (late.length > 0 && (force || older.length === 0)) {
    try {
      await run(db, dialect, migrations, late, force ? undefined : late.at(-1)?.name);
    } catch (error) {
      // One has started just now: the next process that looks does it.
      if (!(error instanceof OlderProcessesError)) throw error;
    }
  }
  await recordPhases(db, dialect, migrations);
  return await planMigrations(db, dialect, options);
}

/** How often it is looked whether older processes have stopped, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** The plan, once no process runs that cannot live with what has to be done at once. */
async function withoutOlder<T>(db: Kysely<T>, dialect: DialectName, options: MigrateOptions): Promise<MigrationPlan> {
  const { force = false, waitMs = 0 } = options;
  const deadline = performance.now() + waitMs;
  for (;;) {
    const plan = await planMigrations(db, dialect, options);
    const unsafe = plan.pending.filter(({ phase }) => phase === undefined);
    if (force || unsafe.length === 0 || plan.older.length === 0) return plan;
    if (performance.now() > deadline)
      throw new OlderProcessesError(
        `the database needs ${unsafe.map(({ name }) => name).join(', ')}, which processes of an older version cannot live with: stop ${plan.older.join('; ')}`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Runs some of the migrations.
 * @param alone the last of them, when they may only be made while no process runs that does not know it
 * @throws OlderProcessesError
 */
async function run<T>(
  db: Kysely<T>,
  dialect: DialectName,
  migrations: readonly SchemaMigration[],
  chosen: MigrationPlan['pending'],
  alone?: string,
): Promise<void> {
  // Asked under the lock: another process may have done it meanwhile, or a newer one more than that.
  const getMigrations = async () => {
    const provided: Record<string, Migration> = {};
    for (const { name } of await appliedMigrations(db, dialect)) provided[name] = { up: async () => {} };
    for (const { name, up } of migrations) {
      if (!chosen.some((migration) => migration.name === name)) continue;
      provided[name] = {
        up: async (transaction) => {
          if (alone !== undefined) await requireAlone(transaction, dialect, alone);
          await up(new SchemaKit(transaction as Kysely<unknown>, dialect));
        },
      };
    }
    return provided;
  };
  const migrator = new Migrator({ db, provider: { getMigrations }, allowUnorderedMigrations: true });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** No process registers from here to the end of the transaction; what starts meanwhile looks at the schema after that. */
async function requireAlone(db: Kysely<unknown>, dialect: DialectName, schema: string): Promise<void> {
  if (dialect === 'postgres') await sql`lock table processes in share row exclusive mode`.execute(db);
  const older = await olderProcesses(db, dialect, schema);
  if (older.length > 0) throw new OlderProcessesError(older.join('; '));
}

/**
 * Looks whether this program can live with what newer ones have made of the database.
 * @returns the names of newer migrations
 * @throws DatabaseVersionError
 */
export function requireCompatible(
  applied: readonly AppliedMigration[],
  migrations: readonly SchemaMigration[] = allMigrations,
): readonly string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name));
  const refused = unknown.filter(({ phase }) => phase !== 'expand');
  if (refused.length > 0) {
    const names = refused.map(({ name }) => name).join(', ');
    throw new DatabaseVersionError(`the database was used by a newer version: it has ${names}, which this one does not know`);
  }
  const applicable = new Set(applied.map(({ name }) => name));
  const missing = migrations.filter(({ name, phase }) => !applicable.has(name) && phase !== 'contract');
  if (unknown.length > 0 && missing.length > 0)
    throw new DatabaseVersionError(
      `the database was used by a newer version, and lacks ${missing.map(({ name }) => name).join(', ')} of this one: start the newer one`,
    );
  return unknown.map(({ name }) => name);
}
