import type { Context, Services } from '../../context.ts';
import type { Database } from '../../database/database.ts';

/** How long downloads are batched in milliseconds, where no other process could show them. */
const INTERVAL_MS = 5000;
/** Versions that are updated in one statement each, one after the other, before others get to write. */
const MAX_WAITING = 10_000;

/** Downloads that are not written yet, by version. */
const waiting = new WeakMap<Database, Map<number, number>>();
/** The writing of downloads under way, and the one that begins after it. */
const writing = new WeakMap<Database, { now: Promise<void>; next: Promise<void> | undefined }>();

/**
 * Counts a download of a version. On SQLite counts are written every few seconds, so that downloads do not wait for the database; those of a
 * process that is killed in between are lost. On PostgreSQL other processes may need them, so they are written when this resolves,
 * together with all that arrived while earlier ones were written. Never rejects.
 */
export async function countDownload(services: Services, versionId: number): Promise<void> {
  const counts = waiting.get(services.database) ?? new Map<number, number>();
  waiting.set(services.database, counts);
  const isFirst = counts.size === 0;
  if (counts.size < MAX_WAITING || counts.has(versionId)) counts.set(versionId, (counts.get(versionId) ?? 0) + 1);
  if (services.database.dialect === 'postgres') await writeTogether(services);
  else if (isFirst) setTimeout(() => void writeOrWarn(services), INTERVAL_MS).unref();
}

function writeTogether(services: Services): Promise<void> {
  const state = writing.get(services.database) ?? { now: Promise.resolve(), next: undefined };
  writing.set(services.database, state);
  state.next ??= state.now.then(() => {
    state.next = undefined;
    state.now = writeOrWarn(services);
    return state.now;
  });
  return state.next;
}

function writeOrWarn(services: Services): Promise<void> {
  return writeDownloads(services).catch((error: unknown) => services.log.warn({ err: error }, 'downloads were not counted'));
}

/** Downloads of a version that this process has counted and not written yet: clients that have just downloaded expect to see theirs. */
export function waitingDownloads(services: Pick<Services, 'database'>, versionId: number): number {
  return waiting.get(services.database)?.get(versionId) ?? 0;
}

/** Writes the downloads that have been counted. */
export async function writeDownloads({ database }: Pick<Context, 'database'>): Promise<void> {
  const counts = waiting.get(database);
  waiting.delete(database);
  for (const [id, count] of [...(counts ?? [])].sort(([a], [b]) => a - b)) {
    await database.db
      .updateTable('package_versions')
      .set((row) => ({ download_count: row('download_count', '+', count) }))
      .where('id', '=', id)
      .execute();
  }
}
