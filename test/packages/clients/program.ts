import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Why a test of this program is skipped; false where it is installed. */
export function withoutProgram(name: string): string | false {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return !folders.some((folder) => existsSync(join(folder, name))) && `${name} is not installed`;
}

/** Runs a program that has to succeed, with a home folder of its own; returns what it printed. */
export async function runProgram(
  name: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const { PATH = '' } = process.env;
  const { stdout } = await promisify(execFile)(name, args, { cwd, env: { PATH, HOME: cwd, ...env }, timeout: 120_000 });
  return stdout;
}
