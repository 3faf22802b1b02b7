import type { CacheBudget, EvictableCache } from './budget.ts';

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** Values by name within a limit of memory, the least recently used ones evicted first. */
export class RecentlyUsed<Value> implements EvictableCache {
  readonly #budget: CacheBudget;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry<Value>>();
  bytes = 0;

  constructor(budget: CacheBudget, maxBytes: number) {
    this.#budget = budget;
    this.#maxBytes = maxBytes;
    budget.add(this);
  }

  get(name: string): Value | undefined {
    const found = this.#entries.get(name);
    if (!found) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, found);
    return found.value;
  }

  /** @param bytes the approximate memory of the value */
  set(name: string, value: Value, bytes: number): void {
    this.delete(name);
    this.#entries.set(name, { value, bytes });
    this.bytes += bytes;
    while (this.bytes > this.#maxBytes) this.evict();
    this.#budget.settle();
  }

  delete(name: string): void {
    this.bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }

  evict(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }
}

/** A cache that each server has of its own, made when it is first needed. */
export function cachePerServer<Value>(maxBytes: number): (services: { readonly caches: CacheBudget }) => RecentlyUsed<Value> {
  const byBudget = new WeakMap<CacheBudget, RecentlyUsed<Value>>();
  return ({ caches }) => {
    const cache = byBudget.get(caches) ?? new RecentlyUsed<Value>(caches, maxBytes);
    byBudget.set(caches, cache);
    return cache;
  };
}
