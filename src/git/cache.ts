import type { GitRepository } from './repository.ts';

/**
 * What never changes, kept by repository and key and bounded in bytes, the least recently used given up first.
 * Keys begin with a word for the kind of value, so that one kind is never taken for another.
 */
export class GitCache {
  readonly #limit: number;
  readonly #entries = new Map<string, { value: unknown; bytes: number }>();
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #numbers = new Map<string, number>();
  #nextNumber = 1;
  #bytes = 0;

  /** @param limit the bytes that all values together may take, as their owners estimate them */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The estimated bytes that are in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value that was set under `key`, if it is still there. */
  get<T>(repository: GitRepository, key: string): T | undefined {
    if (repository.quarantine) return undefined;
    const name = this.#name(repository, key);
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value as T;
  }

  /** Keeps a value of about `bytes` bytes. A value larger than a quarter of the cache is not kept. */
  set(repository: GitRepository, key: string, value: unknown, bytes: number): void {
    if (repository.quarantine) return;
    this.#store(this.#name(repository, key), value, bytes);
  }

  /** The kept value, or the one that `compute` answers; callers that ask at the same time share one computation. */
  remember<T>(repository: GitRepository, key: string, bytesOf: (value: T) => number, compute: () => Promise<T>): Promise<T> {
    if (repository.quarantine) return compute();
    const kept = this.get<{ value: T }>(repository, key);
    if (kept) return Promise.resolve(kept.value);
    const name = this.#name(repository, key);
    const running = this.#pending.get(name);
    if (running) return running as Promise<T>;
    const started = compute()
      .then((value) => {
        this.#store(name, { value }, bytesOf(value));
        return value;
      })
      .finally(() => this.#pending.delete(name));
    this.#pending.set(name, started);
    return started;
  }

  /** Forgets all of a repository: what is still being computed for it lands where nobody looks. */
  forget(repository: GitRepository): void {
    this.#numbers.delete(repository.path);
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
    const size = bytes + 2 * name.length + 80;
    const old = this.#entries.get(name);
    if (old) {
      this.#bytes -= old.bytes;
      this.#entries.delete(name);
    }
    if (size > this.#limit / 4) return;
    this.#entries.set(name, { value, bytes: size });
    this.#bytes += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}
