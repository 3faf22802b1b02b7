import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from './deliveries.ts';

/** How long completed deliveries are batched, in milliseconds. */
const GATHER_MS = 5;

interface Finished {
  readonly delivery: Delivery;
  readonly written: PromiseWithResolvers<void>;
}

/**
 * Deletes completed deliveries in batches: an event has many subscribers, most of which have little to do, and a commit costs more than
 * that.
 */
export class Finisher {
  readonly #write: (deliveries: readonly Delivery[]) => Promise<void>;
  #finished: Finished[] = [];
  #running: Promise<void> | undefined;

  /** @param write records that these were handled, all or none */
  constructor(write: (deliveries: readonly Delivery[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it is written; rejects with the database's error. */
  finish(delivery: Delivery): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#finished.push({ delivery, written });
    this.#running ??= this.#run();
    return written.promise;
  }

  async #run(): Promise<void> {
    await sleep(GATHER_MS);
    while (this.#finished.length > 0) {
      const batch = this.#finished.splice(0);
      try {
        await this.#write(batch.map(({ delivery }) => delivery));
        for (const { written } of batch) written.resolve();
      } catch (error) {
        for (const { written } of batch) written.reject(error);
      }
    }
    this.#running = undefined;
  }
}
