import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The program as it is installed, for processes of their own: it starts in half the time of its TypeScript. */
export const COPSE = join(import.meta.dirname, '../../bin/copse');

/** The environment of such a process: nothing of this one but the path, and the settings that are given. */
export function environmentOf(dataDir: string, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    NODE_COMPILE_CACHE: NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../node_modules/.cache/copse'),
    COPSE_DATA_DIR: dataDir,
    COPSE_HOST: '127.0.0.1',
    COPSE_PORT: '0',
    COPSE_SSH_PORT: '0',
    ...settings,
  };
}

/** `copse serve` in a process of its own, which leads a process group. */
export class ServerProcess {
  readonly child: ChildProcess;
  /** Settles when it is gone: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly #lines: string[] = [];
  #stderr = '';
  #isEnded = false;
  #wake = () => {};

  /** @param wrapper a command in front, such as `unshare` with its options */
  constructor(environment: NodeJS.ProcessEnv, wrapper: readonly string[] = []) {
    const [command = '', ...args] = [...wrapper, COPSE, 'serve'];
    this.child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment, detached: true });
    const { stdout, stderr } = this.child;
    assert.ok(stdout && stderr);
    stderr.on('data', (data: Buffer) => {
      this.#stderr += data.toString();
    });
    createInterface({ input: stdout }).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      this.#isEnded = true;
      this.#wake();
      return code ?? signal;
    });
  }

  /**
   * Resolves with the log line of this message once it has been written.
   * @throws Error with everything that the server said when it ends before
   */
  async logged(message: string): Promise<Record<string, unknown>> {
    for (;;) {
      const line = this.#lines.find((line) => line.includes(`"msg":"${message}"`));
      if (line !== undefined) return JSON.parse(line);
      if (this.#isEnded) throw new Error(`the server ended before it logged "${message}"\n${this.said}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What it has written so far, for the messages of failures. */
  get said(): string {
    return `${this.#lines.join('\n')}\n${this.#stderr}`;
  }
}
