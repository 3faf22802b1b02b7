import type { Context, Services } from '../../context.ts';
import type { Database } from '../../database/database.ts';

/** Milliseconds for which downloads are collected before they are written. */
const INTERVAL_MS = 5000;
/** Versions that are updated in one statement each, one after the other, before others get to write. */
const MAX_WAITING = 10_000;

/** Downloads that are not written yet, by version. */
const waiting = new WeakMap<Database, Map<number, number>>();

/**
 * Counts a download of a version. Counts are written every few seconds, so that downloads do not wait for the database; those of a process
 * that is killed in between are lost.
 */
export function countDownload(services: Services, versionId: number): void {
  const counts = waiting.get(services.database) ?? new Map<number, number>();
  if (counts.size === 0) {
    waiting.set(services.database, counts);
    setTimeout(
      () => writeDownloads(services).catch((error) => services.log.warn({ err: error }, 'downloads were not counted')),
      INTERVAL_MS,
    ).unref();
  }
  if (counts.size < MAX_WAITING || counts.has(versionId)) counts.set(versionId, (counts.get(versionId) ?? 0) + 1);
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
