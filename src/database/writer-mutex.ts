import { DatabaseError } from './errors.ts';

/** A writer that waits longer than this has most likely called itself from inside its own transaction. */
const WRITER_TIMEOUT_MS = 20_000;

/** Admits one writer at a time, in order of arrival. */
export class WriterMutex {
  #tail: Promise<void> = Promise.resolve();
  #entered = 0;

  /**
   * Resolves to a function that admits the next writer.
   * @throws DatabaseError `timeout` when earlier writers take too long
   */
  async enter(): Promise<() => void> {
    this.#entered++;
    const before = this.#tail;
    let leave = () => {};
    this.#tail = new Promise((resolve) => {
      leave = resolve;
    });
    if (this.#entered > 1) await this.#within(before, leave);
    return () => {
      this.#entered--;
      leave();
    };
  }

  async #within(before: Promise<void>, leave: () => void): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error('the database was not free to write in time');
      timer = setTimeout(() => reject(new DatabaseError('timeout', error)), WRITER_TIMEOUT_MS);
    });
    try {
      await Promise.race([before, late]);
    } catch (error) {
      this.#entered--;
      before.then(leave);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
