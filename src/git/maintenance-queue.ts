import { type MaintenanceOptions, type MaintenanceResult, maintain } from './maintenance.ts';
import type { GitRepository } from './repository.ts';

/** How {@link MaintenanceQueue} works. */
export interface MaintenanceQueueOptions extends Omit<MaintenanceOptions, 'signal' | 'full'> {
  /** Milliseconds a repository must have been left alone for; 30 seconds by default. */
  quietMs?: number;
  /** Told after each upkeep, to close readers of packs that are gone. */
  onDone?: (repository: GitRepository, result: MaintenanceResult) => void;
  onError?: (repository: GitRepository, error: unknown) => void;
}

/** How many repositories may wait; the next push to one that was turned away asks again. */
const MAX_WAITING = 10_000;

/** Upkeep in the background: one repository at a time, each some time after its last push. */
export class MaintenanceQueue {
  readonly #options: MaintenanceQueueOptions;
  readonly #waiting = new Map<string, { repository: GitRepository; due: number }>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: MaintenanceQueueOptions = {}) {
    this.#options = options;
  }

  /** Asks for the upkeep of a repository that something was written to. */
  request(repository: GitRepository): void {
    if (this.#stop.signal.aborted) return;
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(repository.path)) return;
    // Put at the end again: the map stays ordered by what is due.
    this.#waiting.delete(repository.path);
    this.#waiting.set(repository.path, { repository, due: Date.now() + (this.#options.quietMs ?? 30_000) });
    this.#schedule();
  }

  /** Forgets a repository, as before it is removed. */
  forget(repository: GitRepository): void {
    this.#waiting.delete(repository.path);
  }

  /** Stops what is under way, which leaves the repository as sound as before, and takes no more. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#waiting.clear();
    await this.#running;
  }

  #schedule(): void {
    if (this.#timer || this.#running) return;
    const [first] = this.#waiting.values();
    if (!first) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#running = this.#next().finally(() => {
          this.#running = undefined;
          this.#schedule();
        });
      },
      Math.max(0, first.due - Date.now()),
    );
    this.#timer.unref();
  }

  async #next(): Promise<void> {
    const [first] = this.#waiting.values();
    if (!first || first.due > Date.now()) return;
    const { repository } = first;
    this.#waiting.delete(repository.path);
    try {
      const result = await maintain(repository, { ...this.#options, signal: this.#stop.signal });
      this.#options.onDone?.(repository, result);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onError?.(repository, error);
    }
  }
}
