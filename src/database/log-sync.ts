import { type FileHandle, open } from 'node:fs/promises';

/**
 * Brings SQLite's write-ahead log to the disk, so that what was committed outlives a power failure. Unlike SQLite's own
 * `synchronous = full` it does not hold the thread, and commits that come during a sync share the next one.
 */
export class LogSync {
  readonly #path: string;
  #file: FileHandle | undefined;
  #waiting: PromiseWithResolvers<void>[] = [];
  #running: Promise<void> | undefined;
  #error: unknown;

  /** @param path the log, which SQLite makes with the first transaction and keeps for as long as a handle is open */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Resolves when all that was written to the log before the call is on the disk.
   * @throws Error when it could not be, then and ever after: after a failed sync nobody knows what a later one covers
   */
  flush(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return waiting.promise;
  }

  /** Lets go of the file, once all syncs are done. */
  async close(): Promise<void> {
    await this.#running;
    await this.#file?.close();
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
      this.#file ??= await open(this.#path, 'r');
    } catch (error) {
      // Nothing has been written yet.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    await this.#file.datasync();
  }
}
