/** The limits of a {@link Semaphore}. */
export interface SemaphoreOptions {
  /** Permits in all. */
  readonly permits: number;
  /** Permits that one key may hold; all when left out. */
  readonly permitsPerKey?: number;
  /** Acquisitions that may wait; further ones are refused. */
  readonly maxWaiting?: number;
  /** Acquisitions of one key that may wait. */
  readonly maxWaitingPerKey?: number;
  /** Milliseconds that an acquisition waits at most. */
  readonly waitTimeoutMs?: number;
}

/** Releases the permits; calling it again does nothing. */
export type Release = () => void;

/** Too much of a kind of work is under way: the caller should come back later. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter = 10) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

interface Waiter {
  readonly key: string;
  readonly weight: number;
  readonly grant: (release: Release) => void;
}

const DEFAULT_MAX_WAITING = 1000;
const DEFAULT_MAX_WAITING_PER_KEY = 100;
const DEFAULT_WAIT_TIMEOUT_MS = 60_000;

/**
 * Bounds work by permits, over all callers and for each of them (its key). Callers without one wait, first come, first served, except
 * that a key with all its permits taken only blocks itself. It bounds this process, not the instance.
 */
export class Semaphore {
  readonly #permits: number;
  readonly #permitsPerKey: number;
  readonly #maxWaiting: number;
  readonly #maxWaitingPerKey: number;
  readonly #waitTimeoutMs: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  #taken = 0;

  constructor(options: SemaphoreOptions) {
    this.#permits = options.permits;
    this.#permitsPerKey = Math.min(options.permits, options.permitsPerKey ?? options.permits);
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
    this.#maxWaitingPerKey = options.maxWaitingPerKey ?? DEFAULT_MAX_WAITING_PER_KEY;
    this.#waitTimeoutMs = options.waitTimeoutMs ?? DEFAULT_WAIT_TIMEOUT_MS;
  }

  /** Number of permits currently taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Number of acquisitions currently waiting. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Takes permits for a key, when there are some.
   * @param options.weight how many; more than a key may hold counts as all that it may hold
   * @param options.signal ends the wait
   * @throws BusyError when too many wait, or it has waited too long; the reason of `signal`
   */
  async acquire(key: string, options: { weight?: number; signal?: AbortSignal } = {}): Promise<Release> {
    const { signal } = options;
    const weight = Math.min(options.weight ?? 1, this.#permitsPerKey);
    signal?.throwIfAborted();
    if (this.#fitsKey(key, weight) && this.#fits(weight) && !this.#waiting.some((waiter) => this.#fitsKey(waiter.key, waiter.weight))) {
      return this.#take(key, weight);
    }
    const ownWaiting = this.#waiting.filter((waiter) => waiter.key === key).length;
    if (this.#waiting.length >= this.#maxWaiting || ownWaiting >= this.#maxWaitingPerKey) throw new BusyError('too many requests wait');
    return await this.#wait(key, weight, signal);
  }

  /** Runs a task with permits of a key; throws as {@link Semaphore.acquire} and as the task. */
  async run<T>(key: string, task: () => Promise<T>, options: { weight?: number; signal?: AbortSignal } = {}): Promise<T> {
    const release = await this.acquire(key, options);
    try {
      return await task();
    } finally {
      release();
    }
  }

  #wait(key: string, weight: number, signal: AbortSignal | undefined): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const waiter: Waiter = { key, weight, grant: resolve };
    const leave = (reason: unknown) => {
      const at = this.#waiting.indexOf(waiter);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      reject(reason);
      // It may have held up lighter ones behind it.
      this.#grant();
    };
    const onAbort = () => leave(signal?.reason);
    const timer = setTimeout(() => leave(new BusyError('too much of this is under way')), this.#waitTimeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(waiter);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  #take(key: string, weight: number): Release {
    this.#taken += weight;
    this.#held.set(key, (this.#held.get(key) ?? 0) + weight);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#taken -= weight;
      const left = (this.#held.get(key) ?? 0) - weight;
      if (left > 0) this.#held.set(key, left);
      else this.#held.delete(key);
      this.#grant();
    };
  }

  /** Serves the queue in order. One that only waits for its own key lets others pass; a heavy one does not starve. */
  #grant(): void {
    for (let at = 0; at < this.#waiting.length && this.#taken < this.#permits; ) {
      const waiter = this.#waiting[at];
      if (!waiter) return;
      if (!this.#fitsKey(waiter.key, waiter.weight)) at++;
      else if (this.#fits(waiter.weight)) {
        this.#waiting.splice(at, 1);
        waiter.grant(this.#take(waiter.key, waiter.weight));
      } else return;
    }
  }

  #fits(weight: number): boolean {
    return this.#taken + weight <= this.#permits;
  }

  #fitsKey(key: string, weight: number): boolean {
    return (this.#held.get(key) ?? 0) + weight <= this.#permitsPerKey;
  }
}
