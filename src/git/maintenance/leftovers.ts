import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow, namesIn } from '../folder-entries.ts';
import type { GitRepository } from '../repository.ts';

/** So old that no process still uses it. */
export const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** Options of {@link sweepLeftovers}. */
export interface SweepOptions {
  /** Only files that have not changed since then, in milliseconds since 1970. */
  before?: number;
  /** The same for locks of refs, which are held for a moment each; `before` when left out. */
  locksBefore?: number;
  /** Only locks of refs; without it also quarantines and temporary objects and packs. */
  locksOfRefs?: boolean;
}

/**
 * Deletes what killed processes have left: locks, quarantines, temporary objects and packs. Returns how many. A stale lock would prevent
 * every later move of its ref.
 */
export async function sweepLeftovers(repository: Pick<GitRepository, 'path'>, options: SweepOptions = {}): Promise<number> {
  const { before = Date.now() - LEFTOVER_AGE_MS, locksBefore = before, locksOfRefs = false } = options;
  const locks = [
    ...(await matchingIn(repository.path, /\.lock$|^packed-refs\.new$/)),
    ...(await namesBelow(join(repository.path, 'refs'), /\.lock$/)),
  ];
  const swept = await removeOlder(locks, locksBefore);
  return locksOfRefs ? swept : swept + (await removeOlder(await unfinishedObjects(join(repository.path, 'objects')), before));
}

async function removeOlder(paths: readonly string[], before: number): Promise<number> {
  let swept = 0;
  for (const path of paths) {
    const state = await stat(path).catch(() => undefined);
    if (!state || state.mtimeMs > before) continue;
    await rm(path, { recursive: true, force: true });
    swept++;
  }
  return swept;
}

async function unfinishedObjects(objects: string): Promise<string[]> {
  return [
    ...(await matchingIn(objects, /^tmp_objdir-|^tmp_/)),
    ...(await matchingIn(join(objects, 'pack'), /^tmp_|^\.tmp-|\.lock$/)),
    ...(await matchingIn(join(objects, 'info'), /^tmp_|\.lock$/)),
    ...(await matchingIn(join(objects, 'info/commit-graphs'), /^tmp_|\.lock$/)),
    ...(await temporaryObjects(objects)),
  ];
}

async function temporaryObjects(objects: string): Promise<string[]> {
  const folders = await matchingIn(objects, /^[0-9a-f]{2}$/);
  const found: string[] = [];
  for (const folder of folders) found.push(...(await matchingIn(folder, /^tmp_obj_/)));
  return found;
}

async function namesBelow(folder: string, pattern: RegExp): Promise<string[]> {
  const files = await filesBelow(folder).catch(() => []);
  return files.flatMap(({ path }) => (pattern.test(path) ? [path] : []));
}

async function matchingIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await namesIn(folder).catch(() => []);
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
}
