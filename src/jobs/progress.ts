import type { Services } from '../context.ts';
import type { Progress } from './jobs.ts';

/** Milliseconds between two writes. */
const INTERVAL_MS = 1000;

/** Writes the progress of a job into its row: the first at once, then the latest each second. */
export class ProgressWriter {
  readonly #services: Services;
  readonly #jobId: number;
  #latest: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services, jobId: number) {
    this.#services = services;
    this.#jobId = jobId;
  }

  /** Sets what to write next. */
  set(progress: Progress): void {
    this.#latest = progress;
    if (!this.#timer) this.#write();
  }

  /** Stops writing. */
  end(): void {
    this.#latest = undefined;
    clearTimeout(this.#timer);
  }

  #write(): void {
    this.#timer = undefined;
    const progress = this.#latest;
    if (!progress) return;
    this.#latest = undefined;
    this.#timer = setTimeout(() => this.#write(), INTERVAL_MS).unref();
    const { database, processes, log } = this.#services;
    database.db
      .updateTable('jobs')
      .set({ progress: JSON.stringify(progress) })
      .where('id', '=', this.#jobId)
      .where('process_id', '=', processes.id)
      .execute()
      .catch((error: unknown) => log.debug({ job: this.#jobId, err: error }, 'the progress of a job could not be written'));
  }
}
