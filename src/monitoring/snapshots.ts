import type { Context, Services } from '../context.ts';
import { databaseClock } from '../database/clock.ts';
import type { Sample, Snapshot } from '../metrics/text.ts';
import { processLabel } from './services.ts';

const WRITE_MS = 10_000;

/** The metrics of this process. */
export function ownSnapshot({ metrics }: Pick<Services, 'metrics'>): Snapshot {
  return { label: processLabel(), samples: metrics.snapshot() };
}

/** Regularly writes the metrics of this process if others may show them. Returns a function that stops it. */
export function writeSnapshots(services: Services): () => Promise<void> {
  if (services.database.dialect === 'sqlite' || !services.settings.instance.metricsEnabled) return async () => {};
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(() => writeSnapshot(services));
  }, WRITE_MS).unref();
  return async () => {
    clearInterval(timer);
    await writing;
  };
}

/** Writes the metrics of this process. Failures are logged. */
export async function writeSnapshot(services: Services): Promise<void> {
  const { database, processes, log } = services;
  const { label, samples } = ownSnapshot(services);
  const values = { label, samples: JSON.stringify(samples), taken_at: databaseClock(database.dialect) };
  try {
    await database.db
      .insertInto('process_metrics')
      .values({ process_id: processes.id, ...values })
      .onConflict((conflict) => conflict.column('process_id').doUpdateSet(values))
      .execute();
  } catch (error) {
    log.warn({ err: error }, 'the metrics of this process could not be written');
  }
}

/** The metrics of the other running processes as they wrote them last, some seconds ago. */
export async function otherSnapshots({ db, processes }: Context): Promise<Snapshot[]> {
  const living = (await processes.list()).map(({ id }) => id).filter((id) => id !== processes.id);
  if (living.length === 0) return [];
  const rows = await db
    .selectFrom('process_metrics')
    .select(['label', 'samples'])
    .where('process_id', 'in', living)
    .orderBy('process_id')
    .execute();
  return rows.map(({ label, samples }) => ({ label, samples: samples as unknown as readonly Sample[] }));
}
