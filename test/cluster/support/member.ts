import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endWithProcess } from '../../support/end-with-process.ts';
import { COPSE } from '../../support/server-process.ts';

/** Milliseconds within which a process has to serve. */
const START_MS = 120_000;

/** One of the equal processes of a cluster: always at the same port, however often it is killed and started. */
export class Member {
  readonly url: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #logFile: string;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  /** @param logFile what it writes is appended there */
  constructor(environment: NodeJS.ProcessEnv, port: number, logFile: string) {
    this.url = `http://127.0.0.1:${port}/`;
    this.#environment = { ...environment, COPSE_PORT: String(port) };
    this.#logFile = logFile;
  }

  /** Its process id; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it takes requests. */
  async start(): Promise<void> {
    const log = openSync(this.#logFile, 'a');
    const child = endWithProcess(spawn(COPSE, ['serve'], { stdio: ['ignore', log, log], env: this.#environment }));
    this.#child = child;
    this.#ended = once(child, 'exit');
    for (const end = Date.now() + START_MS; !(await this.isReady()); await sleep(50)) {
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`a process does not start: ${await readFile(this.#logFile, 'utf8')}`);
    }
  }

  /** Whether it takes requests. */
  isReady(): Promise<boolean> {
    return fetch(`${this.url}api/readyz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
  }

  /** Ends it: as an operator does, or without a word. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal);
    await this.#ended;
    this.#child = undefined;
  }

  /** Runs a command of the command line with its settings, and returns what that printed. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(COPSE, args, { env: this.#environment, maxBuffer: 2 ** 26 });
    return stdout;
  }
}
