import { AsyncLocalStorage } from 'node:async_hooks';

/** A repository that is being moved to another volume was locked for longer than a writer waits. */
export class RepositoryLockedError extends Error {
  override readonly name = 'RepositoryLockedError';
}

interface Closed {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/** How long a writer waits for the lock of a repository, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/**
 * Counts the writes to each repository in this process, and delays new ones while the repository is moved to another volume. Nested writes
 * are not delayed.
 */
export class WriteGate {
  readonly #active = new Map<number, { count: number; readonly since: number }>();
  readonly #closed = new Map<number, Closed>();
  readonly #inside = new AsyncLocalStorage<ReadonlySet<number>>();
  readonly #maxWaitMs: number;

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs `task`, which writes to the repository with this id.
   * @throws RepositoryLockedError when the repository stays closed
   */
  async run<T>(id: number, task: () => Promise<T>): Promise<T> {
    const inside = this.#inside.getStore();
    if (inside?.has(id)) return await task();
    if (this.#closed.has(id)) await this.#pass(id);
    const active = this.#active.get(id) ?? { count: 0, since: Date.now() };
    active.count++;
    this.#active.set(id, active);
    try {
      return await this.#inside.run(new Set([...(inside ?? []), id]), task);
    } finally {
      active.count--;
      if (active.count === 0) this.#active.delete(id);
    }
  }

  /** The repositories that are locked. */
  get closed(): readonly number[] {
    return [...this.#closed.keys()];
  }

  /** Whether this process is not writing to the repository. */
  isIdle(id: number): boolean {
    return !this.#active.has(id);
  }

  /** Since when this process has been writing to the repository without a pause, in milliseconds since 1970; undefined while it does not. */
  busySince(id: number): number | undefined {
    return this.#active.get(id)?.since;
  }

  /** Delays new writes. */
  close(id: number): void {
    if (this.#closed.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.set(id, { opened: promise, open: resolve });
  }

  /** Starts the delayed writes. */
  open(id: number): void {
    this.#closed.get(id)?.open();
    this.#closed.delete(id);
  }

  async #pass(id: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => resolve('late'), this.#maxWaitMs).unref();
    try {
      for (let closed = this.#closed.get(id); closed; closed = this.#closed.get(id)) {
        if ((await Promise.race([closed.opened, late])) === 'late')
          throw new RepositoryLockedError('the repository is being moved to another volume');
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
