import type { GitRepository } from '../repository.ts';
import type { GitProcess } from './launched-process.ts';
import { GitError, GitLimitError, isOutOfMemory, killGroup, spawnGit } from './process.ts';

/** Writes requests to a process and parses its responses as they arrive. */
export interface OutputParser {
  /** Set before the first request. */
  process: BatchProcess | undefined;
  /** @returns the number of responses that these bytes complete */
  feed(chunk: Buffer): number;
  /** The process has ended: every pending request gets this error. */
  fail(error: Error): void;
}

/** A process ended while requests were pending; they may be sent again to a new one. */
export class BatchProcessEndedError extends GitError {
  override readonly name = 'BatchProcessEndedError';
}

/** A pending request. */
export interface Waiting {
  reject(error: Error): void;
}

/**
 * Fails all requests of a process that has ended. The first of them exceeded a limit; the others only waited behind it and may be sent again.
 */
export function failWaiting(requests: readonly Waiting[], error: Error): void {
  requests.forEach((request, i) => {
    const innocent = i > 0 && error instanceof GitLimitError;
    request.reject(innocent ? new BatchProcessEndedError(error.args, error.code, error.stderr) : error);
  });
}

/**
 * One long-lived git process that responds to requests in order. Requests of one turn of the event loop are sent with one write, followed by
 * `flush`, the command that makes it respond at once.
 */
export class BatchProcess {
  readonly #child: GitProcess;
  readonly #flush: string;
  readonly #quiet: NodeJS.Timeout;
  #unsent = '';
  #waiting = 0;
  #heardAt = performance.now();
  #limit = '';
  #stderr = '';
  /** How many requests it has received. */
  requests = 0;
  ended = false;
  /** Called when no request is pending any more, and when the process has ended. */
  onIdle: () => void = () => {};

  /** @param quietMs a process without output for so long is ended: as idle, or as stuck if a request is pending */
  constructor(repository: GitRepository, args: readonly string[], flush: string, parser: OutputParser, quietMs: number) {
    this.#flush = flush;
    parser.process = this;
    this.#quiet = setTimeout(() => this.#tooQuiet(), quietMs);
    this.#quiet.unref();
    const child = spawnGit(args, { cwd: repository.path, env: repository.quarantine });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => {
      this.#restartTimer();
      try {
        this.#waiting -= parser.feed(chunk);
      } catch (error) {
        this.#limit = `a response that cannot be read: ${error instanceof Error ? error.message : error}`;
        killGroup(child);
        return;
      }
      if (this.#waiting === 0) this.onIdle();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < 4096) this.#stderr += chunk.toString();
    });
    const end = (code: number | null, error?: Error) => {
      if (this.ended) return;
      this.ended = true;
      clearTimeout(this.#quiet);
      const limit = this.#limit || (isOutOfMemory(this.#stderr) ? 'out of memory' : '');
      if (limit) parser.fail(new GitLimitError(args, code, limit));
      else parser.fail(error ?? new BatchProcessEndedError(args, code, this.#stderr));
      this.onIdle();
    };
    child.on('error', (error) => end(null, error));
    child.on('close', (code) => end(code));
  }

  /** Its process id; 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether a request is pending. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Milliseconds since it last wrote something or, if it was idle, got a request. */
  get quietMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** Ends it as stuck, to make room for others. */
  giveUp(): void {
    this.#limit ||= `no response within ${Math.round(this.quietMs)} ms`;
    killGroup(this.#child);
  }

  /** Sends a request; the parser gets the responses in the order of the requests. */
  send(line: string): void {
    if (this.#unsent === '') queueMicrotask(() => this.#writeUnsent());
    if (this.#waiting === 0) this.#restartTimer();
    this.#unsent += line;
    this.#waiting++;
    this.requests++;
  }

  /** Lets the process end by itself after the pending requests. */
  end(): void {
    this.#child.stdin.end();
  }

  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void> {
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
      killGroup(this.#child);
    });
  }

  #writeUnsent(): void {
    const text = this.#unsent + this.#flush;
    this.#unsent = '';
    this.#child.stdin.write(text, 'latin1');
  }

  #tooQuiet(): void {
    if (this.#waiting === 0) this.end();
    else this.giveUp();
  }

  #restartTimer(): void {
    this.#heardAt = performance.now();
    this.#quiet.refresh();
  }
}
