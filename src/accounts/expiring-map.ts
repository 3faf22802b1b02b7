interface Entry<V> {
  value: V;
  expires: number;
}

/** A map of limited size whose entries expire; when it is full the oldest entry is deleted. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxEntries: number;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds */
  constructor(maxEntries: number, now: () => number) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expires <= this.#now()) {
      this.#entries.delete(key);
      return undefined;
    }
    return entry?.value;
  }

  /** @param lifetime milliseconds from now */
  set(key: string, value: V, lifetime: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires: this.#now() + lifetime });
    if (this.#entries.size <= this.#maxEntries) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  /** Milliseconds until the entry expires; 0 where there is none. */
  expiresIn(key: string): number {
    return Math.max(0, (this.#entries.get(key)?.expires ?? 0) - this.#now());
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
