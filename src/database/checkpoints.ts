import { Worker } from 'node:worker_threads';
import { LOADING_ARGUMENTS } from '../workers/loading.ts';

/** Commits after which the log is moved into the database: some megabytes. */
const COMMITS = 400;
/** Milliseconds without a checkpoint after which the thread is ended. */
const IDLE_MS = 60_000;

/**
 * Has the write-ahead log moved into the database in a thread of its own. Within a commit, as SQLite does it, each waits for the disk
 * and holds up everybody, for as long as other programs keep the disk busy.
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
   * @param onError called with why a checkpoint was not made; the next commits try again
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

  /** Ends the thread; SQLite does the last checkpoint itself when the database is closed. */
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
