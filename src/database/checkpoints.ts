import { Worker } from 'node:worker_threads';
import { LOADING_ARGUMENTS } from '../workers/loading.ts';

/** Number of commits after which the log is copied into the database: some megabytes. */
const COMMITS = 400;
/** The thread ends after this many milliseconds without a checkpoint. */
const IDLE_MS = 60_000;

/**
 * Runs checkpoints of the write-ahead log in a thread of its own. SQLite would run them within a commit: every caller would wait for the
 * disk, for as long as other programs keep it busy.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #commits = 0;
  #isRunning = false;

  /**
   * @param path the file of the database
   * @param onError called with the reason when a checkpoint fails; the next commits try again
   */
  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path;
    this.#onError = onError;
  }

  /** Counts a commit. */
  count(): void {
    if (++this.#commits < COMMITS || this.#isRunning) return;
    this.#commits = 0;
    this.#isRunning = true;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  /** Ends the thread; SQLite runs the last checkpoint itself when the database is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const options = { workerData: this.#path, env: {}, execArgv: [...LOADING_ARGUMENTS] };
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), options);
    worker.unref();
    worker.on('message', () => {
      this.#isRunning = false;
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    });
    // The next commits try again; in between the handles do it themselves once the log is large.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#isRunning = false;
    };
    worker.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    worker.on('exit', forget);
    return worker;
  }
}
