import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteFailure } from './errors.ts';

/** How long to wait for a server that is being replaced, in milliseconds. */
const WAIT_MS = 2000;
const PAUSE_MS = 50;

/** Another server uses the same data folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Locks a data folder for one server, with an exclusive lock of SQLite on a file in it. The system releases the lock with the process,
 * however that ends; the lock also works between containers that share the folder.
 * @returns a function that releases the lock
 * @throws FolderInUseError when another server holds it
 */
export async function lockFolder(folder: string, name = 'server.lock'): Promise<() => void> {
  mkdirSync(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, name), { timeout: 0 });
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      file.exec('begin exclusive');
      return () => file.close();
    } catch (error) {
      const isOver = performance.now() > deadline;
      if (sqliteFailure(error) === 'busy' && !isOver) {
        await sleep(PAUSE_MS);
        continue;
      }
      file.close();
      if (!isOver) throw error;
      throw new FolderInUseError(`another server runs on the data folder ${folder}: stop it first, or give this one a folder of its own`);
    }
  }
}
