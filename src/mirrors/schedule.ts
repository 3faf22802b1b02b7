import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { JobRun } from '../jobs/job-work.ts';

/** The job of each table of mirrors. */
export const KINDS = { mirrors: 'mirror.sync', push_mirrors: 'push-mirror.sync' } as const;
/** A table of mirrors. */
export type MirrorTable = keyof typeof KINDS;

/** Seconds until the first retry of a failed transfer; they double with each further failure. */
const FIRST_RETRY = 600;
const MAX_RETRY = 86_400;
/** Transfers with one host that wait in the queue. Others wait in the table, so that no host fills the queue. */
const WAITING_PER_HOST = 16;
/** Transfers that are enqueued at a time. */
const BATCH = 500;
/** Minimum delay of a transfer whose host is busy, in seconds. */
const BUSY_DELAY = 5;

/**
 * An interval in seconds with a random addition of up to a tenth of it, at most six minutes: so mirrors that were created together do
 * not stay due together.
 */
export function withJitter(interval: number): number {
  return interval + Math.floor(Math.random() * Math.min(interval, 3600) * 0.1);
}

/** When the next transfer is due after a successful one, in seconds since 1970; null for never. */
export function nextAfterSuccess(interval: number): number | null {
  return interval === 0 ? null : now() + withJitter(interval);
}

/** When the next transfer is due after so many failures, in seconds since 1970: the delay grows with each failure. Null for never. */
export function nextAfterFailure(interval: number, failures: number): number | null {
  if (interval === 0) return null;
  const delay = FIRST_RETRY * 2 ** Math.min(failures - 1, 20);
  return now() + withJitter(Math.min(delay, Math.max(interval, MAX_RETRY)));
}

/** Enqueues one transfer, unless it waits already. */
export async function enqueueMirror(context: Context, table: MirrorTable, mirrorId: number, delay = 0): Promise<void> {
  await context.jobs.add(context, KINDS[table], { mirrorId }, { key: String(mirrorId), delay });
}

/**
 * Enqueues the transfers that are due, a limited number for each host. None is enqueued twice.
 * @param host limits this to transfers with one host
 */
export async function enqueueDue(context: Context, table: MirrorTable, host?: string): Promise<void> {
  const { db, settings } = context;
  if (!settings.mirrors.enabled) return;
  const due = db
    .selectFrom(table)
    .innerJoin('repositories', 'repositories.id', `${table}.repository_id`)
    .select([
      `${table}.id as id`,
      sql<number>`row_number() over (partition by ${sql.ref(`${table}.remote_host`)} order by ${sql.ref(`${table}.next_at`)}, ${sql.ref(`${table}.id`)})`.as(
        'place',
      ),
    ])
    .where(`${table}.next_at`, '<=', now())
    .where('repositories.state', '=', 'ready')
    .where('repositories.is_archived', '=', false)
    .$if(host !== undefined, (query) => query.where(`${table}.remote_host`, '=', host ?? ''));
  const rows = await db
    .selectFrom(due.as('due'))
    .select('id')
    .where('place', '<=', WAITING_PER_HOST)
    .orderBy('place')
    .orderBy('id')
    .limit(BATCH)
    .execute();
  for (const { id } of rows) await enqueueMirror(context, table, id);
}

/** The scheduled task. */
export async function enqueueAllDue(context: Context): Promise<void> {
  for (const table of Object.keys(KINDS) as MirrorTable[]) await enqueueDue(context, table);
}

/**
 * Puts a transfer back into the queue if as many transfers with its host are running as `mirrors.perHost` allows, in all processes.
 * @returns whether it was put back
 */
export async function postponeIfBusy(
  context: Context,
  table: MirrorTable,
  run: JobRun,
  mirror: { id: number; remote_host: string },
): Promise<boolean> {
  const running = await context.db
    .selectFrom('jobs')
    .select(['id', 'type', 'running_key'])
    .where('process_id', 'is not', null)
    .where('queue', '=', 'mirrors')
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  const own = running.findIndex(({ id }) => id === run.id);
  const before = own < 0 ? running : running.slice(0, own);
  let others = 0;
  for (const kind of Object.keys(KINDS) as MirrorTable[]) {
    const ids = before.filter(({ type }) => type === KINDS[kind]).map(({ running_key }) => Number(running_key));
    if (ids.length === 0) continue;
    const rows = await context.db
      .selectFrom(kind)
      .select('id')
      .where('id', 'in', ids)
      .where('remote_host', '=', mirror.remote_host)
      .execute();
    others += rows.length;
  }
  if (others < context.settings.mirrors.perHost) return false;
  await enqueueMirror(context, table, mirror.id, BUSY_DELAY + Math.floor(Math.random() * BUSY_DELAY));
  return true;
}
