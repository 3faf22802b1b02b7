import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunnerProblem } from '../problem.ts';

/** The files by which a step says something to the runner, by their variables. */
const FILES = {
  GITHUB_ENV: 'env',
  GITHUB_OUTPUT: 'output',
  GITHUB_PATH: 'path',
  GITHUB_STATE: 'state',
  GITHUB_STEP_SUMMARY: 'summary',
} as const;
/** Size limit of one file in bytes. */
const MAX_FILE = 16 * 1024 * 1024;
/** Size limit of a summary, as on GitHub, in bytes. */
const MAX_SUMMARY = 1024 * 1024;

/** The contents of a step's command files. */
export interface StepFiles {
  readonly env: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  readonly summary: string;
}

/** The files of one step. */
export class CommandFiles {
  /** Variables with their paths. */
  readonly variables: Readonly<Record<string, string>>;

  private constructor(folder: string) {
    const id = randomUUID();
    this.variables = Object.fromEntries(Object.entries(FILES).map(([variable, name]) => [variable, join(folder, `${name}_${id}`)]));
  }

  /** Makes empty files in a folder. */
  static async make(folder: string): Promise<CommandFiles> {
    const files = new CommandFiles(folder);
    await Promise.all(Object.values(files.variables).map((path) => writeFile(path, '', { mode: 0o666 })));
    return files;
  }

  /**
   * Reads and removes them.
   * @throws RunnerProblem for what cannot be understood
   */
  async read(): Promise<StepFiles> {
    const text = (variable: keyof typeof FILES, max = MAX_FILE) => readBounded(this.variables[variable] ?? '', variable, max);
    const pairs = async (variable: keyof typeof FILES) => parsePairs(await text(variable), variable);
    try {
      return {
        env: await pairs('GITHUB_ENV'),
        outputs: await pairs('GITHUB_OUTPUT'),
        state: await pairs('GITHUB_STATE'),
        path: (await text('GITHUB_PATH')).split(/\r?\n/).filter((line) => line !== ''),
        summary: await text('GITHUB_STEP_SUMMARY', MAX_SUMMARY),
      };
    } finally {
      await this.remove();
    }
  }

  /** Removes them without looking. */
  async remove(): Promise<void> {
    await Promise.all(Object.values(this.variables).map((path) => rm(path, { force: true, recursive: true })));
  }
}

/** A step may have replaced the file: a link is not followed, and a pipe is not waited for. */
async function readBounded(path: string, variable: string, max: number): Promise<string> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const info = await file.stat();
    if (!info.isFile()) return '';
    if (info.size > max) throw new RunnerProblem(`the file of ${variable} has more than ${max} bytes`);
    return (await file.readFile()).toString('utf8');
  } finally {
    await file.close();
  }
}

/**
 * Reads `NAME=value` and `NAME<<END`, lines, `END`:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#multiline-strings
 * @throws RunnerProblem
 */
export function parsePairs(text: string, variable: string): Record<string, string> {
  const pairs = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const marker = line.indexOf('<<');
    if (marker > 0 && (equals === -1 || marker < equals)) {
      const delimiter = line.slice(marker + 2);
      const end = lines.indexOf(delimiter, at + 1);
      if (delimiter === '' || end === -1) throw new RunnerProblem(`${variable}: the value of ${line.slice(0, marker)} does not end`);
      pairs.set(line.slice(0, marker), lines.slice(at + 1, end).join('\n'));
      at = end;
    } else if (equals > 0) pairs.set(line.slice(0, equals), line.slice(equals + 1));
    else throw new RunnerProblem(`${variable}: the line ${JSON.stringify(line.slice(0, 100))} has no name with a value`);
  }
  return Object.fromEntries(pairs);
}
