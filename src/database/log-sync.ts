import fs from 'node:fs';
import { promisify } from 'node:util';

// Made once; handles of files of `node:fs/promises` take longer for each call.
const [openFile, closeFile, syncFile] = [promisify(fs.open), promisify(fs.close), promisify(fs.fdatasync)];

/**
 * Syncs SQLite's write-ahead log to disk, so that commits survive a power failure. Unlike SQLite's own `synchronous = full` it does not
 * block the thread, and commits that arrive during a sync share the next one.
 */
export class LogSync {
  readonly #path: string;
  #file: number | undefined;
  #waiting: PromiseWithResolvers<void>[] = [];
  #running: Promise<void> | undefined;
  #error: unknown;

  /** @param path the log; SQLite creates it with the first transaction and keeps it while a handle is open */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Resolves when everything that was written to the log before the call is on disk.
   * @throws Error when a sync fails, and for every later call: after a failed sync nobody knows what a later one covers
   */
  flush(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return waiting.promise;
  }

  /** Closes the file, once all syncs are done. */
  async close(): Promise<void> {
    await this.#running;
    if (this.#file !== undefined) await closeFile(this.#file);
    this.#file = undefined;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const covered = this.#waiting.splice(0);
      try {
        await this.#sync();
        for (const { resolve } of covered) resolve();
      } catch (error) {
        this.#error ??= error;
        for (const { reject } of covered) reject(this.#error);
      }
    }
  }

  async #sync(): Promise<void> {
    if (this.#error) throw this.#error;
    try {
      this.#file ??= await openFile(this.#path, 'r');
    } catch (error) {
      // Nothing has been written yet.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    await syncFile(this.#file);
  }
}
