type Action = () => Promise<void>;

/** Actions that run one after the other: those of a lower rank first, those of one rank in the order in which they were added. */
export class RankedActions {
  readonly #byRank = new Map<number, { readonly actions: Action[]; next: number }>();

  add(run: Action, rank: number): void {
    const queue = this.#byRank.get(rank);
    if (queue) queue.actions.push(run);
    else this.#byRank.set(rank, { actions: [run], next: 0 });
  }

  /** Runs them all, also those that are added meanwhile. */
  async runAll(): Promise<void> {
    for (let run = this.#take(); run; run = this.#take()) await run();
  }

  #take(): Action | undefined {
    const waiting = [...this.#byRank].filter(([, { actions, next }]) => next < actions.length);
    const [first] = waiting.sort(([rank], [other]) => rank - other);
    return first?.[1].actions[first[1].next++];
  }
}
