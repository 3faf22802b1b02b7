import { type AnswerParser, BatchProcess, BatchProcessEndedError } from './batch-process.ts';
import type { GitRepository } from './repository.ts';

/** A git command that is kept running and asked again and again. */
export interface ProcessKind<Parser extends AnswerParser> {
  name: string;
  args: readonly string[];
  /** What makes the process write out its answers. */
  flush: string;
  parser(): Parser;
  /** Requests after which a process is replaced, for commands that remember what they have seen. */
  maxRequests?: number;
}

interface Worker {
  process: BatchProcess;
  parser: AnswerParser;
}

/** Long-lived git processes, one for each repository and kind, the least recently used ended when there are too many. */
export class ProcessPool {
  readonly #limit: number;
  readonly #quietMs: number;
  readonly #workers = new Map<string, Worker>();
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  /** @param quietMs milliseconds without an answer after which a process is ended, be it idle or stuck */
  constructor(limit: number, quietMs: number) {
    this.#limit = limit;
    this.#quietMs = quietMs;
  }

  /** How many processes there are at the moment. */
  get size(): number {
    return this.#workers.size;
  }

  /**
   * Asks the repository's process of this kind, starting it if need be; waits while all are busy for others.
   * If it ended under the question (killed, out of memory), a new one is asked once.
   */
  async ask<Parser extends AnswerParser, T>(
    kind: ProcessKind<Parser>,
    repository: GitRepository,
    question: (parser: Parser) => Promise<T>,
  ): Promise<T> {
    try {
      return await question(this.#existing(kind, repository) ?? (await this.#started(kind, repository)));
    } catch (error) {
      if (!(error instanceof BatchProcessEndedError) || this.#closed) throw error;
      return question(await this.#started(kind, repository));
    }
  }

  /** Ends the processes of one repository. */
  async forget(repository: GitRepository): Promise<void> {
    const own = [...this.#workers].filter(([key]) => key.startsWith(`${repository.path}\0`));
    await Promise.all(own.map(([, worker]) => worker.process.kill()));
  }

  /** Ends all processes; nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#workers.values()].map((worker) => worker.process.kill()));
  }

  #existing<Parser extends AnswerParser>(kind: ProcessKind<Parser>, repository: GitRepository): Parser | undefined {
    const key = keyOf(kind, repository);
    const worker = this.#workers.get(key);
    if (!worker) return undefined;
    this.#workers.delete(key);
    if (kind.maxRequests !== undefined && worker.process.requests >= kind.maxRequests) {
      worker.process.end();
      return undefined;
    }
    this.#workers.set(key, worker);
    // The key holds the kind's name, so the parser is the kind's.
    return worker.parser as Parser;
  }

  async #started<Parser extends AnswerParser>(kind: ProcessKind<Parser>, repository: GitRepository): Promise<Parser> {
    for (;;) {
      if (this.#closed) throw new Error('the pool of git processes is closed');
      const existing = this.#existing(kind, repository);
      if (existing) return existing;
      if (this.#workers.size < this.#limit) return this.#start(kind, repository);
      const idle = [...this.#workers].find(([, worker]) => !worker.process.busy);
      if (idle) {
        this.#workers.delete(idle[0]);
        idle[1].process.end();
      } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #start<Parser extends AnswerParser>(kind: ProcessKind<Parser>, repository: GitRepository): Parser {
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
