import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Db } from '../database/database.ts';
import type { Logger } from '../log.ts';
import type { ProcessRegistry } from './registry.ts';

/** The services needed to release something. */
interface Releasing {
  readonly database: Database;
  readonly processes: ProcessRegistry;
  readonly log: Logger;
}

/** Pauses between attempts, in milliseconds. */
const PAUSE_MS = 1000;
/** Delay before the recovery retries what it could not do, in milliseconds. */
export const RECOVERY_PAUSE_MS = 30_000;
/** Longer than any interruption of the database that a process survives; after that, the next start comes to it. */
const ATTEMPTS = 600;

/**
 * Does what ends something that this process has begun and written down. When it fails, as while the database is away, `release` takes
 * the process's name off it as soon as that is possible, and the recovery looks at it as if the process were gone.
 * @param release may find that there is nothing left to release
 */
export async function endOrRelease<T>(services: Releasing, release: (db: Db) => Promise<unknown>, end: () => Promise<T>): Promise<T> {
  try {
    return await end();
  } catch (error) {
    void releaseLater(services, release);
    throw error;
  }
}

/**
 * Releases something and has it recovered, in the background.
 * @param delayMs the delay before the recovery retries a failure of its own
 */
export async function releaseLater(services: Releasing, release: (db: Db) => Promise<unknown>, delayMs = 0): Promise<void> {
  const { database, processes, log } = services;
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      await release(database.db);
      processes.notifyReleased();
      return;
    } catch (error) {
      if (attempt === 1) log.warn({ err: error }, 'something that could not be finished cannot be handed over yet');
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
}
