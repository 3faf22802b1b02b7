import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitRepository } from './repository.ts';

/** Size of packs in bytes from which a bitmap pays off. */
const BITMAP_FROM_BYTES = 1024 * 1024;
/** Written when everything has been packed; its modification time is that time. */
const FULL_MARK = 'info/copse-packed';

/** Estimates loose objects: they are spread evenly over 256 folders, so counting one of them is enough, as for `git gc --auto`. */
export async function countLooseObjects(repository: GitRepository): Promise<number> {
  return 256 * (await namesIn(join(repository.path, 'objects/17'))).length;
}

/** Whether loose objects take `bytes` or more: few large ones cost each clone as much as many small ones. */
export async function hasLooseBytes(repository: GitRepository, bytes: number): Promise<boolean> {
  let sum = 0;
  for (const path of await looseObjects(repository)) {
    sum += (await stat(path).catch(() => undefined))?.size ?? 0;
    if (sum >= bytes) return true;
  }
  return false;
}

/** The number of packs. */
export async function countPacks(repository: GitRepository): Promise<number> {
  return (await packsOf(repository)).length;
}

/** Whether a clone has to count many objects because there is no bitmap, as after a large first push. */
export async function lacksBitmap(repository: GitRepository): Promise<boolean> {
  const folder = join(repository.path, 'objects/pack');
  const names = await namesIn(folder);
  if (names.some((name) => name.endsWith('.bitmap'))) return false;
  let size = 0;
  for (const name of names) if (name.endsWith('.pack')) size += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return size >= BITMAP_FROM_BYTES;
}

/** The number of loose refs. */
export async function countLooseRefs(repository: GitRepository): Promise<number> {
  const entries = await readdir(join(repository.path, 'refs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** Whether packing everything would change something: there are new objects, or unreachable ones wait for their expiry. */
export async function needsFull(repository: GitRepository): Promise<boolean> {
  const mark = await stat(join(repository.path, FULL_MARK)).catch(() => undefined);
  if (!mark) return true;
  const packs = join(repository.path, 'objects/pack');
  if ((await namesIn(packs)).some((name) => name.endsWith('.mtimes'))) return true;
  const candidates = [...(await packsOf(repository)).map((name) => join(packs, name)), ...(await looseObjects(repository))];
  for (const path of candidates) if (((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > mark.mtimeMs) return true;
  return false;
}

/** Records that everything is packed. */
export async function noteFull(repository: GitRepository): Promise<void> {
  await writeFile(join(repository.path, FULL_MARK), '');
}

/**
 * Sets the age of all objects to now, except those that are known to be unreachable. git counts the age of an object from when it was
 * written; objects that become unreachable next expire that long after now.
 */
export async function refreshObjects(repository: GitRepository): Promise<void> {
  const folder = join(repository.path, 'objects/pack');
  const names = await namesIn(folder);
  const cruft = new Set(names.filter((name) => name.endsWith('.mtimes')).map((name) => name.replace(/\.mtimes$/, '.pack')));
  const packs = names.filter((name) => name.endsWith('.pack') && !cruft.has(name)).map((name) => join(folder, name));
  const time = new Date();
  for (const path of [...packs, ...(await looseObjects(repository))]) await utimes(path, time, time).catch(() => {});
}

async function packsOf(repository: GitRepository): Promise<string[]> {
  return (await namesIn(join(repository.path, 'objects/pack'))).filter((name) => name.endsWith('.pack'));
}

async function looseObjects(repository: GitRepository): Promise<string[]> {
  const objects = join(repository.path, 'objects');
  const folders = (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const paths = await Promise.all(
    folders.map(async (name) => (await namesIn(join(objects, name))).map((file) => join(objects, name, file))),
  );
  return paths.flat();
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
