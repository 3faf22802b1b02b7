import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteFailure } from './errors.ts';

/** A server that is being replaced may take a moment to end, in milliseconds. */
const WAIT_MS = 2000;
const PAUSE_MS = 50;

/** Another server runs on the same data folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * Takes a data folder for one server: an exclusive lock on a file in it, by SQLite's own means. The system releases it
 * with the process, however that ends, and it holds between containers that share the folder.
 * @returns what releases it
 * @throws FolderInUseError when another server has it
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
