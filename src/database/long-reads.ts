import type { QueryResult } from 'kysely';
import { Semaphore } from '../concurrency/semaphore.ts';
import { DatabaseError, sqliteFailure } from './errors.ts';
import type { Handle } from './sqlite-handle.ts';

/**
 * Reads results with many rows or long texts, which would block the thread for a second: in slices, and one at a time, as many at once
 * would take all memory. They have a handle of their own: other reads must not see the same old state until such a read ends.
 */
export class LongReads {
  readonly #open: () => Promise<Handle>;
  readonly #pause: () => Promise<void>;
  readonly #semaphore = new Semaphore({ permits: 1, maxWaiting: 200, waitTimeoutMs: 20_000 });
  #handle: Handle | undefined;

  /** @param pause lets others use the thread */
  constructor(open: () => Promise<Handle>, pause: () => Promise<void>) {
    this.#open = open;
    this.#pause = pause;
  }

  /** @throws BusyError when too many wait */
  async read(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    return await this.#semaphore.run('', async () => {
      this.#handle ??= await this.#open();
      try {
        return await this.#handle.readInSlices(sql, parameters, this.#pause);
      } catch (error) {
        const failure = sqliteFailure(error);
        throw failure ? new DatabaseError(failure, error) : error;
      }
    });
  }

  close(): void {
    this.#handle?.database.close();
    this.#handle = undefined;
  }
}
