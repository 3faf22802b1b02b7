/** Lets only so many pieces of work run at one time; further ones wait in the order they came. */
export class Slots {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Waits for a slot.
   * @returns gives it back; may be called more than once
   */
  async take(): Promise<() => void> {
    if (this.#taken >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    };
  }
}
