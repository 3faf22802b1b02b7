import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The paths on the target volume of files with several hard links on the source: forks share theirs. */
export type LinkedFiles = Map<string, string>;

/** The progress of a copy. */
export interface CopyProgress {
  readonly files: number;
  readonly bytes: number;
}

interface SyncOptions {
  readonly links: LinkedFiles;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** How many files are copied at once. */
const CONCURRENCY = 8;
/** How many files with several links are remembered; further ones are copied. */
const MAX_LINKS = 1_000_000;

/** git never changes these files once they have their name. */
const IMMUTABLE = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}(?:[0-9a-f]{24})?|pack\/pack-[0-9a-f]+\.(?:pack|idx|rev))$/;
/** Files that are being written, or were left by a process that was killed. */
const TEMPORARY = /(?:^|\/)(?:tmp_|\.tmp-)|\.lock$|^packed-refs\.new$|\.copying$/;

/**
 * Makes `to` equal to `from`, a folder of a repository, and copies only the differences. Refs are copied before objects, so that the copy has
 * all objects of its refs even if somebody writes meanwhile; it is equal only if nobody does. Files that vanish are left out.
 * @returns how much was copied
 */
export async function syncFolder(from: string, to: string, options: SyncOptions): Promise<CopyProgress> {
  await mkdir(to, { recursive: true });
  const copied = { files: 0, bytes: 0 };
  const work = async (paths: string[]) => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      copied.bytes += await syncFile(from, to, path, options.links);
      copied.files++;
      options.onProgress?.(copied);
    }
  };
  const copyAll = (paths: string[]) => Promise.all(Array.from({ length: CONCURRENCY }, () => work(paths)));
  await copyAll((await pathsBelow(from)).filter((path) => !path.startsWith('objects/')));
  const objects = (await pathsBelow(from)).filter((path) => path.startsWith('objects/'));
  const seen = new Set(objects);
  await copyAll(objects);
  // Maintenance moves objects into packs, and may have done so meanwhile.
  await copyAll((await pathsBelow(from)).filter((path) => path.startsWith('objects/pack/') && !seen.has(path)));
  await removeOthers(from, to);
  return copied;
}

/** The files in a folder, except temporary ones. */
async function pathsBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const waiting = [''];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true }).catch(missing([]))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (TEMPORARY.test(path)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found;
}

/** Returns how many bytes were copied. */
async function syncFile(from: string, to: string, path: string, links: LinkedFiles): Promise<number> {
  const [source, target] = [join(from, path), join(to, path)];
  const stats = await lstat(source).catch(missing(undefined));
  if (!stats) return 0;
  const key = stats.nlink > 1 && IMMUTABLE.test(path) ? `${stats.dev}:${stats.ino}` : undefined;
  if (await isCopied(path, stats, target)) {
    if (key !== undefined && links.size < MAX_LINKS && !links.has(key)) links.set(key, target);
    return 0;
  }
  await mkdir(dirname(target), { recursive: true });
  const linked = key === undefined ? undefined : links.get(key);
  if (linked !== undefined && (await linkTo(linked, target))) return 0;
  const copied = await copyDurably(source, target, stats);
  if (copied && key !== undefined && links.size < MAX_LINKS) links.set(key, target);
  return copied ? stats.size : 0;
}

/** Compares contents of small files: many refs have the same size, and change within the resolution of a file system's clock. */
async function isCopied(path: string, { size, mtimeMs }: Stats, target: string): Promise<boolean> {
  if (!path.startsWith('objects/')) return false;
  const there = await lstat(target).catch(missing(undefined));
  if (there?.size !== size) return false;
  return IMMUTABLE.test(path) || Math.floor(there.mtimeMs) === Math.floor(mtimeMs);
}

async function linkTo(existing: string, target: string): Promise<boolean> {
  await rm(target, { force: true });
  return await link(existing, target).then(
    () => true,
    () => false,
  );
}

/** Copies the whole file, with its times, or nothing. Returns false when the source has vanished. */
async function copyDurably(source: string, target: string, { mode, atime, mtime }: Stats): Promise<boolean> {
  const copying = `${target}.copying`;
  const isThere = await copyFile(source, copying, constants.COPYFILE_FICLONE).then(() => true, missing(false));
  if (!isThere) return false;
  await chmod(copying, mode & 0o777);
  await utimes(copying, atime, mtime);
  await syncToDisk(copying);
  await rename(copying, target);
  return true;
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Deletes files that the source does not have from the copy, and makes the names of the others durable. */
async function removeOthers(from: string, to: string): Promise<void> {
  const waiting = [''];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const kept = new Map((await readdir(join(from, at), { withFileTypes: true }).catch(missing([]))).map((entry) => [entry.name, entry]));
    for (const entry of await readdir(join(to, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      const source = kept.get(entry.name);
      if (!source || source.isDirectory() !== entry.isDirectory()) await rm(join(to, path), { recursive: true, force: true });
      else if (entry.isDirectory()) waiting.push(path);
    }
    // git does not recognize a repository without `refs`, even if it is empty.
    for (const [name, entry] of kept)
      if (entry.isDirectory() && !TEMPORARY.test(at === '' ? name : `${at}/${name}`)) await mkdir(join(to, at, name), { recursive: true });
    await syncToDisk(join(to, at));
  }
}

function missing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
