import type { DatabaseEnvironment } from './databases.ts';
import { processorSeconds } from './processor-time.ts';
import { type FileResult, TestProcess } from './test-process.ts';

/** Files of one process. Node keeps the modules of those that have ended; to load the program again takes 1.5 s of processor time. */
const FILES_PER_PROCESS = 200;

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
  /** What its process and all that this started took of the processors, without PostgreSQL; 0 where it is not measured. */
  readonly processorSeconds: number;
}

/** Where and how many tests run. */
export interface RunOptions {
  readonly scratch: string;
  /** Processes at a time. */
  readonly concurrency: number;
  /** Measures the processor time of each file, which takes some milliseconds itself. */
  readonly isMeasured?: boolean;
}

/** A process that runs one file after the other, and what it has run. */
interface SharedProcess {
  readonly process: TestProcess;
  readonly database: string;
  count: number;
  seconds: number;
}

/** Runs test files, each process one after the other, and reports to standard output. */
export async function runFiles(files: readonly FileToRun[], options: RunOptions): Promise<FileRun[]> {
  const waiting = files.values();
  const runs: FileRun[] = [];
  const start = ({ database, environment }: FileToRun): SharedProcess => {
    return { process: new TestProcess(options.scratch, environment), database, count: 0, seconds: 0 };
  };
  const run = async (file: FileToRun, shared: SharedProcess) => {
    const result = await shared.process.run(file.path);
    const before = shared.seconds;
    if (options.isMeasured) shared.seconds = processorSeconds(shared.process.pid);
    shared.count++;
    runs.push({ file, result, processorSeconds: shared.seconds - before });
  };
  const worker = async () => {
    let shared: SharedProcess | undefined;
    for (const file of waiting) {
      if (file.isAlone) {
        const own = start(file);
        await run(file, own);
        await own.process.end();
        continue;
      }
      if (!shared || !takes(shared, file)) {
        await shared?.process.end();
        shared = start(file);
      }
      await run(file, shared);
    }
    await shared?.process.end();
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return runs;
}

function takes({ process, database, count }: SharedProcess, file: FileToRun): boolean {
  return !process.isGone && count < FILES_PER_PROCESS && database === file.database;
}
