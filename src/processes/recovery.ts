import type { Services } from '../context.ts';
import type { Feature } from '../feature.ts';

/** Pause before what could not be recovered is tried again, in milliseconds. */
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

  /** Recovers all there is. Resolves when that is done; what failed is logged, and tried again later. */
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

  /** Begins no more; resolves when what is under way is done. */
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
