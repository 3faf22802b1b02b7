import { open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { isPlain, type Plain, plainAt, textAt } from '../plain.ts';
import { messageOf, RunnerProblem } from '../problem.ts';

/** The contents of `action.yml`. */
export interface ActionFile {
  readonly name: string;
  readonly inputs: Plain;
  readonly outputs: Plain;
  readonly runs: Plain;
}

const MAX_FILE = 1024 * 1024;

/**
 * Reads the file of an action in its folder, which lies in another one that it must not lead out of.
 * @throws RunnerProblem
 */
export async function readActionFile(folder: string, root: string): Promise<ActionFile> {
  for (const name of ['action.yml', 'action.yaml']) {
    const text = await readFileWithin(join(folder, name), root);
    if (text === undefined) continue;
    const file = parseYaml(text, name);
    const runs = plainAt(file, 'runs');
    if (textAt(runs, 'using') === '') throw new RunnerProblem(`${name}: runs.using is missing`);
    return { name: textAt(file, 'name'), inputs: plainAt(file, 'inputs'), outputs: plainAt(file, 'outputs'), runs };
  }
  if ((await readFileWithin(join(folder, 'Dockerfile'), root)) === undefined) throw new RunnerProblem('there is no action.yml');
  return { name: '', inputs: {}, outputs: {}, runs: { using: 'docker', image: 'Dockerfile' } };
}

/**
 * Reads a YAML text with a mapping.
 * @throws RunnerProblem
 */
export function parseYaml(text: string, name: string): Plain {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 100, uniqueKeys: false });
  } catch (error) {
    throw new RunnerProblem(`${name}: ${messageOf(error).split('\n')[0]}`);
  }
  if (!isPlain(value)) throw new RunnerProblem(`${name} has to be a mapping`);
  return value;
}

/**
 * The text of a file; undefined where there is none.
 * @throws RunnerProblem for one that is outside of the folder, or too large
 */
export async function readFileWithin(path: string, root: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const way = relative(await realpath(root), real);
  if (way.startsWith('..')) throw new RunnerProblem(`${path} leads out of its folder`);
  const file = await open(real);
  try {
    const info = await file.stat();
    if (!info.isFile()) return undefined;
    if (info.size > MAX_FILE) throw new RunnerProblem(`${path} has more than ${MAX_FILE} bytes`);
    return (await file.readFile()).toString('utf8');
  } finally {
    await file.close();
  }
}
