/** What is kept because it would take time to make it again. */
export interface EvictableCache {
  /** About what it has in memory. */
  readonly bytes: number;
  /** Forgets what was used longest ago: something at the second call at the latest. */
  evict(): void;
}

/** Bounds the memory of several caches together: what one needs is taken from the one that has most. */
export class CacheBudget {
  /** The bytes that all caches may have together. */
  readonly limit: number;
  readonly #caches = new Set<EvictableCache>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts a cache from now on. */
  add(cache: EvictableCache): void {
    this.#caches.add(cache);
  }

  /** The bytes that all caches have. */
  get bytes(): number {
    let bytes = 0;
    for (const cache of this.#caches) bytes += cache.bytes;
    return bytes;
  }

  /** Called by a cache that has grown. */
  settle(): void {
    // A cache with two generations forgets nothing the first time; what is not let go of then stays.
    for (let vain = 0, bytes = this.bytes; bytes > this.limit && vain < 2; ) {
      this.#largest()?.evict();
      const left = this.bytes;
      vain = left < bytes ? 0 : vain + 1;
      bytes = left;
    }
  }

  #largest(): EvictableCache | undefined {
    let largest: EvictableCache | undefined;
    for (const cache of this.#caches) if (cache.bytes > (largest?.bytes ?? 0)) largest = cache;
    return largest;
  }
}
