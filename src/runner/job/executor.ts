import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Plain } from '../plain.ts';
import { RunnerProblem } from '../problem.ts';
import { type ProcessRequest, runProcess } from './process.ts';

/** An image that runs as a step. */
export interface ImageRequest extends Omit<ProcessRequest, 'argv'> {
  /** The name of an image, or the folder and the file to build one of. */
  readonly image: string | { readonly folder: string; readonly file: string };
  readonly entrypoint: string;
  readonly args: readonly string[];
}

/** Where the programs of a job run. */
export interface Executor {
  /** The Node that runs JavaScript actions. */
  readonly node: string;
  /** The PATH that steps begin with. */
  readonly path: string;
  /** The containers in the context `job`. */
  readonly facts: Plain;
  /** Runs a program; returns its exit code. */
  run(request: ProcessRequest): Promise<number>;
  /** Runs an image; returns its exit code. */
  runImage(request: ImageRequest): Promise<number>;
  /** Whether there is such a program in the PATH. */
  has(program: string): Promise<boolean>;
  /** Removes everything that was created for the job. */
  close(): Promise<void>;
}

const FALLBACK_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs programs on this machine itself.
 * @throws RunnerProblem for a job that asks for containers
 */
export function hostExecutor(definition: Plain, path = process.env.PATH ?? FALLBACK_PATH): Executor {
  for (const key of ['container', 'services'] as const) {
    if (definition[key] === undefined || definition[key] === null || definition[key] === '') continue;
    throw new RunnerProblem(
      `\`${key}\` needs containers, and this job runs on the host: give the runner a label such as ubuntu-latest:docker://node:24`,
    );
  }
  return {
    node: process.execPath,
    path,
    facts: {},
    run: (request) => runProcess(request),
    runImage: () => {
      throw new RunnerProblem(
        'actions in containers do not run on the host: give the runner a label such as ubuntu-latest:docker://node:24',
      );
    },
    has: async (program) => {
      for (const folder of path.split(delimiter)) if (await isProgram(join(folder, program))) return true;
      return false;
    },
    close: async () => {},
  };
}

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
