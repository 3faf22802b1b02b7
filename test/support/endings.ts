/** What ends the servers, folders and the like of one test file. */
export class Endings {
  readonly #ends: (() => unknown)[] = [];
  #last: Promise<void> = Promise.resolve();

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Ends everything that has been added, what began last first. Later calls wait for the earlier ones. */
  all(): Promise<void> {
    this.#last = this.#last.finally(async () => {
      for (let end = this.#ends.pop(); end; end = this.#ends.pop()) await end();
    });
    return this.#last;
  }
}

let current = new Endings();

/** Those of the file that is loaded now. */
export function currentEndings(): Endings {
  return current;
}

/** Begins with another file. What is still to be ended of the one before stays with that. */
export function newEndings(): Endings {
  current = new Endings();
  return current;
}
