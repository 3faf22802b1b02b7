import { join } from 'node:path';
import { run } from 'node:test';
import { dot, spec } from 'node:test/reporters';
import type { DatabaseEnvironment } from './databases.ts';

/** Each file is a process that needs most of the program: it is compiled once, as with bin/copse. */
const COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'copse');
const EXEC_ARGV = [
  // The processes live for seconds: a larger young generation saves a tenth of their time.
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--import',
  join(import.meta.dirname, '..', 'support', 'untracked.ts'),
];

/** What a run of test files showed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Files with a failed test. */
  readonly failedFiles: readonly string[];
  /** Milliseconds by file. */
  readonly durations: ReadonlyMap<string, number>;
}

/** Runs test files, each in a process of its own, and reports to standard output. */
export function runFiles(
  files: readonly string[],
  { scratch, environment, concurrency }: { scratch: string; environment: DatabaseEnvironment; concurrency: number },
): Promise<Outcome> {
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...definedEnvironment(), TMPDIR: scratch, ...environment };
  const stream = run({ files: [...files], concurrency, execArgv: EXEC_ARGV, env });
  let [passed, failed] = [0, 0];
  const failedFiles = new Set<string>();
  const durations = new Map<string, number>();
  stream.on('test:pass', ({ details }) => {
    if (details.type !== 'suite') passed++;
  });
  stream.on('test:fail', ({ file, details }) => {
    if (details.type !== 'suite') failed++;
    // A test that a helper declares names the helper: its file is known by the summary.
    if (file && files.includes(relativePath(file))) failedFiles.add(relativePath(file));
  });
  stream.on('test:summary', ({ file, duration_ms, success }) => {
    if (!file) return;
    durations.set(relativePath(file), duration_ms);
    if (!success) failedFiles.add(relativePath(file));
  });
  stream.compose(process.stdout.isTTY ? new spec() : dot).pipe(process.stdout, { end: false });
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('end', () => resolve({ passed, failed, failedFiles: [...failedFiles], durations }));
  });
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function relativePath(file: string): string {
  return file.replace(`${process.cwd()}/`, '');
}
