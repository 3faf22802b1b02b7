import type { DatabaseEnvironment } from './databases.ts';
import { type FileResult, TestProcess } from './test-process.ts';

/** Files of one process. More would keep too much of files that have ended in memory; fewer would load the program more often. */
const FILES_PER_PROCESS = 25;

/** A test file. */
export interface FileToRun {
  readonly path: string;
  /** In a process of its own. */
  readonly isAlone: boolean;
}

/** Where and with what tests run. */
export interface RunOptions {
  readonly scratch: string;
  readonly environment: DatabaseEnvironment;
  /** Processes at a time. */
  readonly concurrency: number;
}

/** Runs test files, each process one after the other, and reports to standard output. */
export async function runFiles(files: readonly FileToRun[], { scratch, environment, concurrency }: RunOptions): Promise<FileResult[]> {
  const waiting = files.values();
  const results: FileResult[] = [];
  const worker = async () => {
    let current: TestProcess | undefined;
    let count = 0;
    for (const { path, isAlone } of waiting) {
      if (!current || current.isGone || isAlone || count >= FILES_PER_PROCESS) {
        await current?.end();
        current = new TestProcess(scratch, environment);
        count = 0;
      }
      count = isAlone ? FILES_PER_PROCESS : count + 1;
      results.push(await current.run(path));
    }
    await current?.end();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
