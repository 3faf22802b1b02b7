/**
 * Work that is requested often and done once for all requests: what is requested during a run leads to one more run after it.
 * The work handles its own errors.
 */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Whether a run is under way. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Asks for a run that begins after now. */
  request(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.request();
    });
  }

  /** Resolves when the current run has ended; there may be a next one. */
  async ended(): Promise<void> {
    await this.#running;
  }
}
