/** Why a job does not go on as it should. */
export type EndReason = 'cancelled' | 'timeout' | 'shutdown';

/** Milliseconds for the steps that run after a job was cancelled, such as `if: always()`. */
const AFTERMATH_MS = 5 * 60_000;
const SHUTDOWN_MS = 5000;

/** Ends the step that runs when a job is cancelled, and all of it when that takes too long. */
export class JobControl {
  #reason: EndReason | undefined;
  #current = new AbortController();
  readonly #hard = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Why the job ends early; undefined while it does not. */
  get reason(): EndReason | undefined {
    return this.#reason;
  }

  /** Aborts when even steps that run after a cancellation must end. */
  get hard(): AbortSignal {
    return this.#hard.signal;
  }

  /** Ends the step that runs. Those that run always come after it, for a bounded time. */
  end(reason: EndReason): void {
    if (this.#reason) return;
    this.#reason = reason;
    const current = this.#current;
    this.#current = new AbortController();
    this.#timer = setTimeout(() => this.#hard.abort(), reason === 'shutdown' ? SHUTDOWN_MS : AFTERMATH_MS);
    current.abort();
  }

  /** The abort signal of a step that starts now. */
  signal(): AbortSignal {
    return AbortSignal.any([this.#current.signal, this.#hard.signal]);
  }

  /** Ends the job after a time in milliseconds. Returns a function that clears that timeout. */
  limit(timeout: number): () => void {
    const timer = setTimeout(() => this.end('timeout'), timeout);
    return () => clearTimeout(timer);
  }

  /** Nothing is left to end. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
