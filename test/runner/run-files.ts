import type { DatabaseEnvironment } from './databases.ts';
import { type FileResult, TestProcess } from './test-process.ts';

/** Files of one process. More would keep too much of files that have ended in memory; fewer would load the program more often. */
const FILES_PER_PROCESS = 25;

/** A test file. */
export interface FileToRun {
  readonly path: string;
  /** The name of its database. */
  readonly database: string;
  readonly environment: DatabaseEnvironment;
  /** In a process of its own. */
  readonly isAlone: boolean;
}

/** What one test file showed on one database. */
export interface FileRun {
  readonly file: FileToRun;
  readonly result: FileResult;
}

/** Where and how many tests run. */
export interface RunOptions {
  readonly scratch: string;
  /** Processes at a time. */
  readonly concurrency: number;
}

/** Runs test files, each process one after the other, and reports to standard output. */
export async function runFiles(files: readonly FileToRun[], { scratch, concurrency }: RunOptions): Promise<FileRun[]> {
  const waiting = files.values();
  const runs: FileRun[] = [];
  const worker = async () => {
    let current: { readonly process: TestProcess; readonly database: string; count: number } | undefined;
    for (const file of waiting) {
      const isFull = !current || current.process.isGone || current.count >= FILES_PER_PROCESS;
      if (!current || isFull || file.isAlone || current.database !== file.database) {
        await current?.process.end();
        current = { process: new TestProcess(scratch, file.environment), database: file.database, count: 0 };
      }
      current.count = file.isAlone ? FILES_PER_PROCESS : current.count + 1;
      runs.push({ file, result: await current.process.run(file.path) });
    }
    await current?.process.end();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return runs;
}
