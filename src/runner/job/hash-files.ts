import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { glob, realpath, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { trimEnd } from '../../text/trim-end.ts';
import { RunnerProblem } from '../problem.ts';

const MAX_FILES = 100_000;

/**
 * `hashFiles`: the SHA-256 of the SHA-256s of the files of a folder that match; empty without any. A pattern that begins with `!` leaves
 * files out; a folder stands for all in it.
 * @throws RunnerProblem for too many files
 */
export async function hashFiles(folder: string, patterns: readonly string[]): Promise<string> {
  const lines = patterns.flatMap((pattern) => pattern.split('\n')).map((line) => line.trim());
  const files = new Set<string>();
  for (const line of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    const isOut = line.startsWith('!');
    for (const file of await matching(folder, isOut ? line.slice(1).trim() : line)) {
      if (isOut) files.delete(file);
      else files.add(file);
      if (files.size > MAX_FILES) throw new RunnerProblem(`hashFiles: more than ${MAX_FILES} files match`);
    }
  }
  if (files.size === 0) return '';
  const all = createHash('sha256');
  for (const file of [...files].sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    all.update(hash.digest());
  }
  return all.digest('hex');
}

async function matching(folder: string, pattern: string): Promise<string[]> {
  const root = await realpath(folder);
  const found: string[] = [];
  for (const one of [pattern, `${trimEnd(pattern, '/')}/**`]) {
    for await (const path of glob(one, { cwd: root })) {
      const file = await realpath(resolve(root, path)).catch(() => undefined);
      if (file === undefined || relative(root, file).startsWith('..')) continue;
      if ((await stat(file)).isFile()) found.push(file);
    }
  }
  return found;
}
