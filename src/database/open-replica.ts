import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Settings } from '../settings.ts';
import type { Db } from './database.ts';
import { databaseOptions } from './from-settings.ts';
import { Replica, type ReplicaOutcome } from './replica.ts';

/** Opens the read replica of the settings; undefined where they name none. */
export async function openReplica(settings: Settings, primary: Db, metrics: Metrics, log: Logger): Promise<Replica | undefined> {
  const { url, replicaUrl, replicaWait: waitMs } = settings.database;
  if (!url || !replicaUrl) return undefined;
  const count = (outcome: ReplicaOutcome) => metrics.count('copse_replica_requests_total', `outcome="${outcome}"`);
  return await Replica.open({ url: replicaUrl, primary, waitMs, database: { ...databaseOptions(settings), log }, log, count });
}
