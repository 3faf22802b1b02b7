import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Message } from './child.ts';
import type { DatabaseEnvironment } from './databases.ts';

/** Each process needs most of the program: it is compiled once, as with bin/copse. */
const COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'copse');
/** Every process that a test starts copies the tables of its memory's pages: a quarter of the system's time is saved by large pages. */
const GLIBC_TUNABLES = 'glibc.malloc.hugetlb=1';
const EXEC_ARGV = [
  // A larger young generation saves a tenth of the processor time.
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--import',
  join(import.meta.dirname, '..', 'support', 'untracked.ts'),
];
const CHILD = join(import.meta.dirname, 'child.ts');
/** A file that neither reports a test nor ends for so long hangs, also on a machine that has much else to do. */
const SILENCE_MS = 300_000;

/** What one test file showed. */
export interface FileResult {
  readonly path: string;
  readonly passed: number;
  readonly failed: number;
  /** A test failed, there was an error outside of the tests, or the process died or was ended because it was silent. */
  readonly isFailed: boolean;
  readonly milliseconds: number;
}

/** What is otherwise for tests of this. */
export interface TestProcessOptions {
  readonly silenceMs?: number;
  /** Writes nothing. */
  readonly isQuiet?: boolean;
}

/** A process that runs test files, one after the other. */
export class TestProcess {
  readonly #child: ChildProcess;
  readonly #silenceMs: number;
  readonly #log: (line: string) => void;
  /** It runs no more files: it died or was ended. */
  isGone = false;

  constructor(scratch: string, environment: DatabaseEnvironment, { silenceMs = SILENCE_MS, isQuiet = false }: TestProcessOptions = {}) {
    const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, GLIBC_TUNABLES, ...process.env, TMPDIR: scratch, ...environment };
    this.#child = fork(CHILD, [], { env, execArgv: EXEC_ARGV, stdio: isQuiet ? ['ignore', 'ignore', 'ignore', 'ipc'] : 'inherit' });
    this.#silenceMs = silenceMs;
    this.#log = isQuiet ? () => {} : console.log;
  }

  /** Its process id; 0 if it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Runs a file. The process is gone afterwards if it died, or was ended because it was silent. */
  async run(path: string): Promise<FileResult> {
    const start = performance.now();
    const failures: string[] = [];
    let [passed, failed] = [0, 0];
    const isWhole = await new Promise<boolean>((resolve) => {
      const silence = setTimeout(() => {
        this.#log(`\nsilent for ${this.#silenceMs / 60_000} minutes, ended: ${path}`);
        this.#child.kill('SIGKILL');
      }, this.#silenceMs);
      const finish = (isWhole: boolean) => {
        clearTimeout(silence);
        this.#child.off('message', handle).off('exit', die);
        resolve(isWhole);
      };
      const handle = (message: Message) => {
        silence.refresh();
        if (message.type === 'end') return finish(!message.hasFailed);
        if (message.failure !== undefined) failures.push(message.failure);
        if (message.isSuite) return;
        if (message.failure === undefined) passed++;
        else failed++;
      };
      const die = () => {
        this.isGone = true;
        // It could not report them itself.
        this.#log(['', `the process of ${path} ended`, ...failures].join('\n'));
        finish(false);
      };
      this.#child.on('message', handle).on('exit', die).send(path);
    });
    const isFailed = failures.length > 0 || !isWhole;
    return { path, passed, failed, isFailed, milliseconds: performance.now() - start };
  }

  /** Lets the process end, and resolves when it has. */
  async end(): Promise<void> {
    if (this.isGone) return;
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}
