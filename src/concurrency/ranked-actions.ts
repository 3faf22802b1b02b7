/** Actions that run one after the other: those of a lower rank first, those of one rank in the order in which they were added. */
export class RankedActions {
  readonly #actions: { readonly rank: number; readonly run: () => Promise<void> }[] = [];

  add(run: () => Promise<void>, rank: number): void {
    const after = this.#actions.findIndex((other) => other.rank > rank);
    this.#actions.splice(after < 0 ? this.#actions.length : after, 0, { rank, run });
  }

  /** Runs them all, also those that are added meanwhile. */
  async runAll(): Promise<void> {
    for (let next = this.#actions.shift(); next; next = this.#actions.shift()) await next.run();
  }
}
