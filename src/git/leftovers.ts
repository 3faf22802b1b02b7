import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitRepository } from './repository.ts';

/** Long enough that no process still works on what is that old. */
export const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/**
 * Removes what processes that were killed have left: locks, quarantines, temporary objects and packs older than `olderThanMs`.
 * Answers how many. Without it a lock left behind would stop a ref from ever moving again.
 */
export async function sweepLeftovers(repository: GitRepository, olderThanMs = LEFTOVER_AGE_MS): Promise<number> {
  const objects = join(repository.path, 'objects');
  const before = Date.now() - olderThanMs;
  const candidates = [
    ...(await namesIn(repository.path, /\.lock$|^packed-refs\.new$/)),
    ...(await namesBelow(join(repository.path, 'refs'), /\.lock$/)),
    ...(await namesIn(objects, /^tmp_objdir-|^tmp_/)),
    ...(await namesIn(join(objects, 'pack'), /^tmp_|^\.tmp-|\.lock$/)),
    ...(await namesIn(join(objects, 'info'), /^tmp_|\.lock$/)),
    ...(await namesIn(join(objects, 'info/commit-graphs'), /^tmp_|\.lock$/)),
    ...(await temporaryObjects(objects)),
  ];
  let swept = 0;
  for (const path of candidates) {
    const state = await stat(path).catch(() => undefined);
    if (!state || state.mtimeMs > before) continue;
    await rm(path, { recursive: true, force: true });
    swept++;
  }
  return swept;
}

async function temporaryObjects(objects: string): Promise<string[]> {
  const folders = await namesIn(objects, /^[0-9a-f]{2}$/);
  return (await Promise.all(folders.map((folder) => namesIn(folder, /^tmp_obj_/)))).flat();
}

async function namesBelow(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile() && pattern.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
}
