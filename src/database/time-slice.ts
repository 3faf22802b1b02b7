import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a chain of statements may hold the thread, in milliseconds. */
const SLICE_MS = 5;

/**
 * Keeps long chains of synchronous work from starving timers and connections: awaiting what is done already never lets the event loop
 * go on by itself.
 */
export class TimeSlice {
  /** When the current turn of the event loop had its first step, by the monotonic clock; 0 before that. */
  #began = 0;
  readonly #end = () => {
    this.#began = 0;
  };

  /** Whether the current turn has had its share: then the caller awaits {@link next} before the next step. */
  get isOver(): boolean {
    if (this.#began === 0) {
      this.#began = performance.now();
      setImmediate(this.#end);
      return false;
    }
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Resolves in the next turn of the event loop, in which timers and connections have had theirs. */
  next(): Promise<void> {
    return nextTurn();
  }
}
