import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from './deliveries.ts';

/** For how long those that end at about the same time are gathered, in milliseconds. */
const GATHER_MS = 5;

interface Finished {
  readonly delivery: Delivery;
  readonly written: PromiseWithResolvers<void>;
}

/**
 * Removes deliveries that are done. Those that end at about the same time are written together: an event has many subscribers, most of
 * which have little to do, and a commit costs more than that.
 */
export class Finisher {
  readonly #write: (deliveries: readonly Delivery[]) => Promise<void>;
  #finished: Finished[] = [];
  #running: Promise<void> | undefined;

  /** @param write writes that these have been handed on, all or none */
  constructor(write: (deliveries: readonly Delivery[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it is written; rejects as the database does. */
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
