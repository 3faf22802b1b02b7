import type { Context } from '../../src/context.ts';
import { ProcessRegistry } from '../../src/processes/registry.ts';
import { WakeUps } from '../../src/processes/wake-ups.ts';
import { afterwards } from './afterwards.ts';

/** Milliseconds between heartbeats, so that tests need not wait for those of real processes. */
const HEARTBEAT_MS = 100;

/**
 * A context as another process would have it, on the same database: with an id and a heartbeat of its own, and woken over
 * PostgreSQL only.
 */
export async function anotherProcess(context: Context): Promise<Context> {
  const { database, log, settings } = context;
  const { url, connectTimeout } = settings.database;
  const processes = await ProcessRegistry.open(database, { role: 'command', version: 'test', log, heartbeat: HEARTBEAT_MS });
  const wakeUps = url ? await WakeUps.onPostgres({ url, connectTimeout, log }) : new WakeUps();
  afterwards(async () => {
    await wakeUps.close();
    await processes.close();
  });
  return { ...context, processes, wakeUps };
}

/** Ends a process without a word, as a kill does: when this resolves, the others have noticed. */
export async function kill({ processes, database: { db } }: Context): Promise<void> {
  await processes.close();
  await db.deleteFrom('processes').where('id', '=', processes.id).execute();
}
