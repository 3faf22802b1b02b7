import { createHash } from 'node:crypto';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { GiteaSettings } from './config/app-ini.ts';
import { ImportError } from './error.ts';
import { isRunning } from './running.ts';

/** The identity of a source: the locations of its database and repositories. */
export function fingerprintOf({ database, repositories }: GiteaSettings): string {
  const place = database.type === 'sqlite' ? database.file : `${database.host}:${database.port}/${database.name}/${database.schema}`;
  return createHash('sha256')
    .update(JSON.stringify(['gitea', place, repositories]))
    .digest('hex');
}

/**
 * Begins an import into an empty target, or continues the same one.
 * @returns the id of the import
 * @throws ImportError when the target is not empty, has another import, or a process works on it
 */
export function beginImport(context: Context, settings: GiteaSettings): Promise<number> {
  const source = fingerprintOf(settings);
  return inTransaction(context, async (context) => {
    const { db, processes } = context;
    await refuseServers(context);
    const found = await db.selectFrom('imports').selectAll().executeTakeFirst();
    if (!found) {
      await refuseUsed(context);
      // A server that ran before created the built-in applications; the source has them with other ids.
      await db.deleteFrom('oauth2_applications').where('user_id', 'is', null).execute();
      const made = await db
        .insertInto('imports')
        .values({ source, started_at: now(), finished_at: null, process_id: processes.id })
        .returning('id')
        .executeTakeFirstOrThrow();
      return made.id;
    }
    if (found.finished_at !== null) throw new ImportError('this instance was imported before: import into an empty one');
    if (found.source !== source)
      throw new ImportError('an import of another source is unfinished here: resume that one, or begin with an empty instance');
    const isBusy = found.process_id !== null && (await isRunning(context, found.process_id));
    if (isBusy) throw new ImportError('another process is importing now');
    await db.updateTable('imports').set({ process_id: processes.id }).where('id', '=', found.id).execute();
    return found.id;
  });
}

/** Marks an import as finished, in the transaction of the context. */
export async function finishImport({ db }: Context, id: number): Promise<void> {
  await db.updateTable('imports').set({ finished_at: now(), process_id: null }).where('id', '=', id).execute();
}

/** The progress of a step: the last processed id of the source and the number of processed rows. */
export async function stepState(
  { db }: Context,
  importId: number,
  step: string,
): Promise<{ lastId: number; rows: number; isDone: boolean }> {
  const row = await db.selectFrom('import_steps').selectAll().where('import_id', '=', importId).where('step', '=', step).executeTakeFirst();
  return { lastId: row?.last_id ?? 0, rows: row?.rows_count ?? 0, isDone: row?.is_done ?? false };
}

/** Saves the progress of a step, in the transaction of the context. */
export async function saveStep(
  { db }: Pick<Context, 'db'>,
  importId: number,
  step: string,
  { lastId, rows, isDone }: { lastId: number; rows: number; isDone: boolean },
): Promise<void> {
  const state = { last_id: lastId, rows_count: rows, is_done: isDone };
  await db
    .insertInto('import_steps')
    .values({ import_id: importId, step, ...state })
    .onConflict((conflict) => conflict.columns(['import_id', 'step']).doUpdateSet(state))
    .execute();
}

async function refuseServers(context: Context): Promise<void> {
  const servers = await context.db.selectFrom('processes').select('id').where('role', '=', 'server').execute();
  for (const { id } of servers)
    if (await isRunning(context, id)) throw new ImportError('a server of this instance is running: stop it first');
}

async function refuseUsed({ db }: Context): Promise<void> {
  for (const table of ['users', 'repositories'] as const) {
    const row = await db.selectFrom(table).select('id').limit(1).executeTakeFirst();
    if (row) throw new ImportError(`this instance is in use, it has ${table}: import into an empty one`);
  }
}
