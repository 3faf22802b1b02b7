import type { Services } from '../context.ts';
import type { Feature } from '../feature.ts';

/** Delay before a failed recovery is retried, in milliseconds. */
const RETRY_MS = 30_000;

/**
 * Finishes or undoes what dead processes had begun: at the start, and whenever this process finds others dead. For each thing one process
 * does it at a time: the one that claims its row.
 */
export class Recovery {
  readonly #services: Services;
  readonly #features: readonly Feature[];
  #running: Promise<void> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(services: Services, features: readonly Feature[]) {
    this.#services = services;
    this.#features = features;
    services.processes.onReleased(() => void this.run());
  }

  /** Recovers everything. Resolves when done; failures are logged, and retried later. */
  run(): Promise<void> {
    // A run that has not begun yet covers this one.
    if (this.#waiting > 0) return this.#running;
    this.#waiting++;
    this.#running = this.#running.then(() => {
      this.#waiting--;
      return this.#recover();
    });
    return this.#running;
  }

  /** Starts nothing more; resolves when the current recovery has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #recover(): Promise<void> {
    for (const { name, recover } of this.#features) {
      if (this.#stopped || !recover) continue;
      try {
        await recover(this.#services);
      } catch (error) {
        this.#services.log.error({ feature: name, err: error }, 'what a process has left could not be recovered');
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          void this.run();
        }, RETRY_MS).unref();
      }
    }
  }
}
