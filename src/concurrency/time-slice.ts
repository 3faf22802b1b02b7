import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a chain of statements may block the thread, in milliseconds. */
const SLICE_MS = 5;

/**
 * Keeps long chains of synchronous work from starving timers and connections: awaiting a resolved promise does not let the event loop
 * continue.
 */
export class TimeSlice {
  /** When the first step of the current turn of the event loop began, by the monotonic clock; 0 before that. */
  #began = 0;
  readonly #end = () => {
    this.#began = 0;
  };

  /** Whether the current turn has used up its time: then the caller awaits {@link next} before the next step. */
  get isOver(): boolean {
    if (this.#began === 0) {
      this.#began = performance.now();
      setImmediate(this.#end);
      return false;
    }
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Resolves in the next turn of the event loop, after timers and connections. */
  next(): Promise<void> {
    return nextTurn();
  }
}

/** What `make` returns for each item, with pauses in which others are served. */
export async function mapInSlices<T, R>(items: readonly T[], make: (item: T, at: number) => R): Promise<R[]> {
  const slice = new TimeSlice();
  const made: R[] = [];
  for (const [at, item] of items.entries()) {
    if (slice.isOver) await slice.next();
    made.push(make(item, at));
  }
  return made;
}
