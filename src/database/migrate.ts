import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type AppliedMigration, appliedMigrations, olderProcesses, recordPhases } from './migration-state.ts';
import { migrations as allMigrations } from './migrations/index.ts';
import { type MigrationPhase, SchemaKit, type SchemaMigration } from './migrations/schema-kit.ts';
import type { DialectName } from './options.ts';

/** A newer version of the program has changed the database in an incompatible way. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError';
}

/** Processes of an older version run that are not compatible with a migration. */
export class OlderProcessesError extends Error {
  override readonly name = 'OlderProcessesError';
}

/** What there is to do in a database. */
export interface MigrationPlan {
  /** Migrations to run, in this order. */
  readonly pending: readonly { readonly name: string; readonly phase: MigrationPhase | undefined }[];
  /** Migrations that this program does not know but is compatible with. */
  readonly newer: readonly string[];
  /** Processes that do not know all pending migrations: `server 7 on host (pid 1), 0.1.0`. */
  readonly older: readonly string[];
}

/** Options of {@link migrate}. */
export interface MigrateOptions {
  /** The default is the migrations of this program. */
  readonly migrations?: readonly SchemaMigration[];
  /** Also runs migrations that older processes are not compatible with while such processes run. */
  readonly force?: boolean;
  /** How long to wait for older processes to stop before refusing, in milliseconds. */
  readonly waitMs?: number;
}

/** The name of the last migration that a program knows. */
export function schemaOf(migrations: readonly SchemaMigration[] = allMigrations): string {
  return migrations.at(-1)?.name ?? '';
}

/** The migrations of this program with these names, for rows of an older version. */
export function migrationsOf(names: readonly string[]): readonly SchemaMigration[] {
  return allMigrations.filter(({ name }) => names.includes(name));
}

/**
 * Returns what {@link migrate} has to do.
 * @throws DatabaseVersionError when a newer program has run a migration that this one is not compatible with
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
 * Runs the missing migrations under a lock: when several processes start at once, one does the work and the others wait. Migrations that
 * older programs are compatible with run at once, in one transaction. Those that remove what older programs need run in another one, when
 * no process of an older program is left. Migrations from before there were phases wait for older processes to stop.
 * @throws DatabaseVersionError when a newer program has run a migration that this one is not compatible with
 * @throws OlderProcessesError when older processes do not stop
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
      // One has just started: the next process that checks runs the migration.
      if (!(error instanceof OlderProcessesError)) throw error;
    }
  }
  await recordPhases(db, dialect, migrations);
  return await planMigrations(db, dialect, options);
}

/** How often to check whether older processes have stopped, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** The plan, once no process runs that is incompatible with what has to be done at once. */
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
 * @param alone the last of the migrations, when they may only run while every process knows it
 * @throws OlderProcessesError
 */
async function run<T>(
  db: Kysely<T>,
  dialect: DialectName,
  migrations: readonly SchemaMigration[],
  chosen: MigrationPlan['pending'],
  alone?: string,
): Promise<void> {
  // Read under the lock: another process may have done it meanwhile, or a newer one more than that.
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

/** No process registers from here to the end of the transaction; a process that starts meanwhile checks the schema after that. */
async function requireAlone(db: Kysely<unknown>, dialect: DialectName, schema: string): Promise<void> {
  if (dialect === 'postgres') await sql`lock table processes in share row exclusive mode`.execute(db);
  const older = await olderProcesses(db, dialect, schema);
  if (older.length > 0) throw new OlderProcessesError(older.join('; '));
}

/**
 * Checks whether this program is compatible with the changes of newer ones.
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
