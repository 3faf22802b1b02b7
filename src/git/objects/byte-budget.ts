/** Shares an amount of memory between all callers: a request for more than is free waits in a queue. */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;
  readonly #waiting: { bytes: number; go: () => void }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The bytes in use. */
  get used(): number {
    return this.#used;
  }

  /** Runs `work` while it holds so many bytes; a request for more than the budget gets all of it. */
  async with<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(bytes, this.#limit);
    if (this.#waiting.length > 0 || this.#used + taken > this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push({ bytes: taken, go: resolve }));
    } else this.#used += taken;
    try {
      return await work();
    } finally {
      this.#used -= taken;
      this.#next();
    }
  }

  #next(): void {
    for (let first = this.#waiting[0]; first && this.#used + first.bytes <= this.#limit; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += first.bytes;
      first.go();
    }
  }
}
