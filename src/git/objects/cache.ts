import type { CacheBudget } from '../../caches/budget.ts';
import type { GitRepository } from '../repository.ts';

interface Entry {
  value: unknown;
  bytes: number;
}

/**
 * A cache of immutable values by repository and key, bounded in bytes; the least recently used ones are evicted first. Keys begin with a
 * word for the kind of value, so that kinds cannot be confused.
 *
 * There are two generations: a hit moves a value to the young one; when that is full it becomes the old one, and the old one is evicted.
 * This approximates a list in the order of use, at a third of the cost of a hit.
 */
export class GitCache {
  /** Hits, and misses. */
  hits = 0;
  misses = 0;
  readonly #limit: number;
  readonly #budget: CacheBudget | undefined;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #numbers = new Map<string, number>();
  #nextNumber = 1;
  #youngBytes = 0;
  #oldBytes = 0;

  /**
   * @param limit size limit in bytes, as estimated by the users of the cache
   * @param budget the budget that it shares with other caches
   */
  constructor(limit: number, budget?: CacheBudget) {
    this.#limit = Math.min(limit, budget?.limit ?? limit);
    this.#budget = budget;
    budget?.add(this);
  }

  /** The estimated bytes in use. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** The cached value of `key`, if any. */
  get<T>(repository: GitRepository, key: string): T | undefined {
    if (repository.quarantine) return undefined;
    const name = this.#name(repository, key);
    const young = this.#young.get(name);
    if (young) {
      this.hits++;
      return young.value as T;
    }
    const old = this.#old.get(name);
    if (!old) {
      this.misses++;
      return undefined;
    }
    this.hits++;
    this.#store(name, old.value, old.bytes);
    return old.value as T;
  }

  /** Caches a value of about `bytes` bytes. A value larger than a quarter of the cache is not cached. */
  set(repository: GitRepository, key: string, value: unknown, bytes: number): void {
    if (repository.quarantine) return;
    const name = this.#name(repository, key);
    this.#store(name, value, bytes + 2 * name.length + 80);
  }

  /** The cached value, or the result of `compute`; concurrent callers share one computation. */
  remember<T>(repository: GitRepository, key: string, bytesOf: (value: T) => number, compute: () => Promise<T>): Promise<T> {
    if (repository.quarantine) return compute();
    const cached = this.get<{ value: T }>(repository, key);
    if (cached) return Promise.resolve(cached.value);
    const name = this.#name(repository, key);
    return this.share(repository, key, async () => {
      const value = await compute();
      this.#store(name, { value }, bytesOf(value) + 2 * name.length + 80);
      return value;
    });
  }

  /** The result of `compute`; concurrent callers of one key share one computation, and nothing is cached. */
  share<T>(repository: GitRepository, key: string, compute: () => Promise<T>): Promise<T> {
    if (repository.quarantine) return compute();
    const name = this.#name(repository, key);
    const running = this.#pending.get(name);
    if (running) return running as Promise<T>;
    const started = compute().finally(() => this.#pending.delete(name));
    this.#pending.set(name, started);
    return started;
  }

  /** Evicts the old generation. */
  evict(): void {
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
  }

  /** Drops all values of a repository; a value that is still being computed is stored under a key that nobody reads. */
  forget(repository: Pick<GitRepository, 'path'>): void {
    this.#numbers.delete(repository.path);
  }

  /** {@link forget} for every repository. */
  forgetAll(): void {
    this.#numbers.clear();
  }

  #name(repository: GitRepository, key: string): string {
    let number = this.#numbers.get(repository.path);
    if (number === undefined) {
      number = this.#nextNumber++;
      this.#numbers.set(repository.path, number);
    }
    return `${number} ${key}`;
  }

  #store(name: string, value: unknown, bytes: number): void {
    this.#drop(name);
    if (bytes > this.#limit / 4) return;
    if (this.#youngBytes + bytes > this.#limit / 2) this.evict();
    this.#young.set(name, { value, bytes });
    this.#youngBytes += bytes;
    this.#budget?.settle();
  }

  #drop(name: string): void {
    const young = this.#young.get(name);
    if (young && this.#young.delete(name)) this.#youngBytes -= young.bytes;
    const old = this.#old.get(name);
    if (old && this.#old.delete(name)) this.#oldBytes -= old.bytes;
  }
}
