import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow, namesIn, sizeOf } from '../folder-entries.ts';
import type { GitRepository } from '../repository.ts';

/** Size of packs in bytes from which a bitmap pays off. */
const BITMAP_FROM_BYTES = 1024 * 1024;
/** Written when everything has been packed; its modification time is that time. */
const FULL_MARK = 'info/copse-packed';

/** Estimates loose objects: they are spread evenly over 256 folders, so counting one of them is enough, as for `git gc --auto`. */
export async function countLooseObjects(repository: GitRepository): Promise<number> {
  return 256 * (await readableIn(join(repository.path, 'objects/17'))).length;
}

/** Whether loose objects take `bytes` or more: few large ones cost each clone as much as many small ones. */
export async function hasLooseBytes(repository: GitRepository, bytes: number): Promise<boolean> {
  return (await sizeOf(await looseObjects(repository))) >= bytes;
}

/** The number of packs. */
export async function countPacks(repository: GitRepository): Promise<number> {
  return (await packsOf(repository)).length;
}

/** Whether a clone has to count many objects because there is no bitmap, as after a large first push. */
export async function lacksBitmap(repository: GitRepository): Promise<boolean> {
  const folder = join(repository.path, 'objects/pack');
  const names = await readableIn(folder);
  if (names.some((name) => name.endsWith('.bitmap'))) return false;
  const packs = names.filter((name) => name.endsWith('.pack')).map((name) => join(folder, name));
  return (await sizeOf(packs)) >= BITMAP_FROM_BYTES;
}

/** The number of loose refs. */
export async function countLooseRefs(repository: GitRepository): Promise<number> {
  return (await filesBelow(join(repository.path, 'refs'))).length;
}

/** Whether packing everything would change something: there are new objects, or unreachable ones wait for their expiry. */
export async function needsFull(repository: GitRepository): Promise<boolean> {
  const mark = await stat(join(repository.path, FULL_MARK)).catch(() => undefined);
  if (!mark) return true;
  const packs = join(repository.path, 'objects/pack');
  if ((await readableIn(packs)).some((name) => name.endsWith('.mtimes'))) return true;
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
  const names = await readableIn(folder);
  const cruft = new Set(names.filter((name) => name.endsWith('.mtimes')).map((name) => name.replace(/\.mtimes$/, '.pack')));
  const packs = names.filter((name) => name.endsWith('.pack') && !cruft.has(name)).map((name) => join(folder, name));
  const time = new Date();
  for (const path of [...packs, ...(await looseObjects(repository))]) await utimes(path, time, time).catch(() => {});
}

async function packsOf(repository: GitRepository): Promise<string[]> {
  return (await readableIn(join(repository.path, 'objects/pack'))).filter((name) => name.endsWith('.pack'));
}

async function looseObjects(repository: GitRepository): Promise<string[]> {
  const objects = join(repository.path, 'objects');
  const folders = (await readableIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const paths: string[] = [];
  for (const folder of folders) for (const name of await readableIn(join(objects, folder))) paths.push(join(objects, folder, name));
  return paths;
}

/** A folder that cannot be read counts as empty. */
async function readableIn(folder: string): Promise<string[]> {
  return await namesIn(folder).catch(() => []);
}
