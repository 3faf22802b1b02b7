import { basename } from 'node:path';
import type { GitRepository } from '../repository.ts';
import { BatchProcess, BatchProcessEndedError, type OutputParser } from './batch-process.ts';
import { GitLimitError } from './process.ts';

/** How long a request waits for a free process before one is started beyond the limit, up to twice the limit. */
const SURPLUS_AFTER_MS = 250;
/** While others wait, a process counts as stuck after this part of the usual time without output. */
const STUCK_PART = 1 / 6;
/** How long a request waits for a process at most, and how many requests may wait. */
const MAX_WAIT_MS = 30_000;
const MAX_WAITING = 10_000;

/** A git command that is kept running for many requests. */
export interface ProcessKind<Parser extends OutputParser> {
  name: string;
  args: readonly string[];
  /** Makes the process flush its responses. */
  flush: string;
  parser(): Parser;
  /** A process is replaced after this number of requests, for commands that never free memory. */
  maxRequests?: number;
}

interface Worker {
  process: BatchProcess;
  parser: OutputParser;
}

/** Long-lived git processes, one for each repository and kind; when there are too many, the least recently used is ended. */
export class ProcessPool {
  readonly #limit: number;
  readonly #quietMs: number;
  readonly #workers = new Map<string, Worker>();
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  /** @param quietMs a process without output for so many milliseconds is ended, whether idle or stuck */
  constructor(limit: number, quietMs: number) {
    this.#limit = limit;
    this.#quietMs = quietMs;
  }

  /** The current number of processes. */
  get size(): number {
    return this.#workers.size;
  }

  /** The current number of waiting requests. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a process of this kind runs for the repository. */
  has(kind: Pick<ProcessKind<OutputParser>, 'name'>, repository: GitRepository): boolean {
    return this.#workers.has(keyOf(kind, repository));
  }

  /**
   * Sends a request to the repository's process of this kind, starting it if necessary; waits while all are busy. Neither slow nor stuck
   * processes block others for long: some more are started, and stuck ones are ended. If the process ends during the request (killed, out
   * of memory), the request is retried once with a new one.
   * @throws GitLimitError when no process becomes free
   */
  async request<Parser extends OutputParser, T>(
    kind: ProcessKind<Parser>,
    repository: GitRepository,
    request: (parser: Parser) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#requestWhenFree(kind, repository, request);
    } catch (error) {
      if (!(error instanceof BatchProcessEndedError) || this.#closed) throw error;
      return this.#requestWhenFree(kind, repository, request);
    }
  }

  /** Ends the processes of one repository. */
  async forget(repository: Pick<GitRepository, 'path'>): Promise<void> {
    const own = [...this.#workers].filter(([key]) => key.startsWith(`${repository.path}\0`));
    await Promise.all(own.map(([, worker]) => worker.process.kill()));
  }

  /** {@link forget} for every repository. */
  async forgetAll(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.process.kill()));
  }

  /**
   * Sends no further requests to the processes of repositories whose folders have these names, or to any. They end after their pending
   * requests, and others are started.
   */
  retire(folders?: readonly string[]): void {
    for (const [key, worker] of this.#workers) {
      if (folders && !folders.includes(basename(key.slice(0, key.indexOf('\0'))))) continue;
      this.#workers.delete(key);
      worker.process.end();
    }
  }

  /** Ends all processes; no requests are possible afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#workers.values()].map((worker) => worker.process.kill()));
  }

  #existing<Parser extends OutputParser>(kind: ProcessKind<Parser>, repository: GitRepository): Parser | undefined {
    const key = keyOf(kind, repository);
    const worker = this.#workers.get(key);
    if (!worker) return undefined;
    this.#workers.delete(key);
    if (kind.maxRequests !== undefined && worker.process.requests >= kind.maxRequests) {
      worker.process.end();
      return undefined;
    }
    this.#workers.set(key, worker);
    // The key contains the kind's name, so the parser is the kind's.
    return worker.parser as Parser;
  }

  /** Sends the request in the same turn of the event loop in which the process is found: others would consider it idle. */
  async #requestWhenFree<Parser extends OutputParser, T>(
    kind: ProcessKind<Parser>,
    repository: GitRepository,
    request: (parser: Parser) => Promise<T>,
  ): Promise<T> {
    const since = performance.now();
    for (;;) {
      if (this.#closed) throw new Error('the pool of git processes is closed');
      const existing = this.#existing(kind, repository);
      if (existing) return request(existing);
      const waited = performance.now() - since;
      const limit = waited >= SURPLUS_AFTER_MS ? 2 * this.#limit : this.#limit;
      if (this.#workers.size < limit) return request(this.#start(kind, repository));
      const idle = [...this.#workers].find(([, worker]) => !worker.process.busy);
      if (idle) {
        this.#workers.delete(idle[0]);
        idle[1].process.end();
        continue;
      }
      if (waited > MAX_WAIT_MS || this.#waiting.length >= MAX_WAITING) throw new GitLimitError(kind.args, null, 'no process was free');
      this.#endStuck();
      await this.#oneIdle();
    }
  }

  #endStuck(): void {
    for (const { process } of this.#workers.values()) if (process.busy && process.quietMs >= STUCK_PART * this.#quietMs) process.giveUp();
  }

  /** Resolves when a process has become idle, or after a while. */
  #oneIdle(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        const at = this.#waiting.indexOf(wake);
        if (at !== -1) this.#waiting.splice(at, 1);
        resolve();
      }, SURPLUS_AFTER_MS);
      this.#waiting.push(wake);
    });
  }

  #start<Parser extends OutputParser>(kind: ProcessKind<Parser>, repository: GitRepository): Parser {
    const key = keyOf(kind, repository);
    const parser = kind.parser();
    const process = new BatchProcess(repository, kind.args, kind.flush, parser, this.#quietMs);
    process.onIdle = () => {
      if (process.ended && this.#workers.get(key)?.process === process) this.#workers.delete(key);
      this.#waiting.shift()?.();
    };
    this.#workers.set(key, { process, parser });
    return parser;
  }
}

function keyOf(kind: { name: string }, repository: GitRepository): string {
  return `${repository.path}\0${kind.name}\0${repository.quarantine ? JSON.stringify(repository.quarantine) : ''}`;
}
