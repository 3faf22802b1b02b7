/** A cache of values that are expensive to compute. */
export interface EvictableCache {
  /** Its approximate memory in bytes. */
  readonly bytes: number;
  /** Evicts the least recently used entries: at the latest the second call frees memory. */
  evict(): void;
}

/** Bounds the total memory of several caches: memory for one is taken from the largest. */
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
    // A cache with two generations may evict nothing the first time; entries that are not evicted then remain.
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
