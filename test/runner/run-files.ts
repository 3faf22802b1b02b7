import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DatabaseEnvironment } from './databases.ts';
import type { Result } from './group.ts';

/** Each process needs most of the program: it is compiled once, as with bin/copse. */
const COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'copse');
const EXEC_ARGV = [
  // The processes live for seconds: a larger young generation saves a tenth of their time.
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--import',
  join(import.meta.dirname, '..', 'support', 'untracked.ts'),
];
const GROUP = join(import.meta.dirname, 'group.ts');

/** What a run of test files showed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Files with a failed test, and all files of a process that died. */
  readonly failedFiles: readonly string[];
  /** Milliseconds of the tests, by file. */
  readonly durations: ReadonlyMap<string, number>;
}

/** Where and with what tests run. */
export interface RunOptions {
  readonly scratch: string;
  readonly environment: DatabaseEnvironment;
  /** Processes at a time. */
  readonly concurrency: number;
}

/** Runs groups of test files, each group in a process of its own, and reports to standard output. */
export async function runFiles(groups: readonly (readonly string[])[], options: RunOptions): Promise<Outcome> {
  const waiting = groups.values();
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (const files of waiting) outcomes.push(await runGroup(files, options));
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    failedFiles: outcomes.flatMap(({ failedFiles }) => failedFiles),
    durations: new Map(outcomes.flatMap(({ durations }) => [...durations])),
  };
}

async function runGroup(files: readonly string[], { scratch, environment }: RunOptions): Promise<Outcome> {
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, TMPDIR: scratch, ...environment };
  const child = fork(GROUP, files, { env, execArgv: EXEC_ARGV });
  const results: Result[] = [];
  let isDone = false;
  child.on('message', (message: Result | 'done') => {
    if (message === 'done') isDone = true;
    else results.push(message);
  });
  // The last messages may come after the exit, and before the end of the channel.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  return outcomeOf(files, results, isDone && code === 0);
}

function outcomeOf(files: readonly string[], results: readonly Result[], isWhole: boolean): Outcome {
  const durations = new Map<string, number>();
  const failedFiles = new Set<string>();
  let [passed, failed] = [0, 0];
  for (const { file: path = '', passed: isGood, duration, isSuite } of results) {
    const file = path.replace(`${process.cwd()}/`, '');
    if (files.includes(file)) {
      durations.set(file, (durations.get(file) ?? 0) + duration);
      if (!isGood) failedFiles.add(file);
    }
    if (isSuite) continue;
    if (isGood) passed++;
    else failed++;
  }
  // A test that a helper declares names the helper, and a process that died names nothing: then it may be any of the files.
  const isUnexplained = failedFiles.size === 0 && (failed > 0 || !isWhole);
  return { passed, failed, failedFiles: isUnexplained ? files : [...failedFiles], durations };
}
