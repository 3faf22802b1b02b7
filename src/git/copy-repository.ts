import { access, copyFile, link, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPool } from './objects/objects.ts';
import { listRefs, type Ref } from './refs/refs.ts';
import type { GitRepository } from './repository.ts';

/** How often the copy is repeated when maintenance of the source moves objects; it never happens that often. */
const MAX_PASSES = 20;
/** How many files are linked at once. */
const BATCH = 64;

/** Files that are complete alone: an index of several packs, locks and temporary files are not copied. */
const PACK_FILE = /^pack-[0-9a-f]+\.(pack|idx|rev|bitmap|mtimes)$/;
const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE_FILE = /^[0-9a-f]{38}(?:[0-9a-f]{24})?$/;

/** The source kept changing its files, or was deleted meanwhile. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

/**
 * Copies branches and tags with all objects into a new repository that nobody uses yet. git never changes the file of an object, so the copy
 * has hard links: it is cheap, and stays complete whatever happens to the source. Returns the branches and tags.
 * @throws CopyError
 */
export async function copyRepository(from: GitRepository, to: GitRepository, pool: GitPool): Promise<readonly Ref[]> {
  // Refs before objects: all objects of these refs exist already, and stay.
  const refs = [...(await listRefs(from, pool, 'refs/heads/')), ...(await listRefs(from, pool, 'refs/tags/'))];
  await linkObjects(join(from.path, 'objects'), join(to.path, 'objects'));
  // A deletion takes the whole folder at once: as long as it is there, the passes above have seen all of it.
  await access(from.path);
  await writePackedRefs(to, refs);
  return refs;
}

/**
 * Links files until a pass finds nothing new and loses nothing. Loose objects are linked first, since maintenance moves objects from
 * there into packs and never back.
 */
async function linkObjects(from: string, to: string): Promise<void> {
  const done = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = done.size;
    const lost = (await linkLoose(from, to, done)) + (await linkFiles(from, to, 'pack', PACK_FILE, done));
    if (lost === 0 && done.size === before) return;
  }
  throw new CopyError(`the objects in ${from} keep changing`);
}

async function linkLoose(from: string, to: string, done: Set<string>): Promise<number> {
  let lost = 0;
  for (const folder of await readdir(from)) if (LOOSE_FOLDER.test(folder)) lost += await linkFiles(from, to, folder, LOOSE_FILE, done);
  return lost;
}

/** Returns how many files vanished before they could be linked. */
async function linkFiles(from: string, to: string, folder: string, pattern: RegExp, done: Set<string>): Promise<number> {
  const names = await readdir(join(from, folder)).catch(missing([]));
  const paths = names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  const newPaths = paths.filter((path) => !done.has(path));
  if (newPaths.length > 0) await mkdir(join(to, folder), { recursive: true });
  let lost = 0;
  for (let at = 0; at < newPaths.length; at += BATCH) {
    const batch = newPaths.slice(at, at + BATCH);
    const linked = await Promise.all(batch.map((path) => linkOrCopy(join(from, path), join(to, path)).then(() => true, missing(false))));
    for (const [index, path] of batch.entries()) {
      if (linked[index]) done.add(path);
      else lost++;
    }
  }
  return lost;
}

/** Links a file, or copies it where the file system has no hard links, or no more of them for this file. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EXDEV' || code === 'EPERM' || code === 'EMLINK' || code === 'ENOTSUP') await copyFile(from, to);
    else throw error;
  }
}

function missing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}

/** One file for all refs, however many there are: https://git-scm.com/docs/gitrepository-layout */
async function writePackedRefs({ path }: GitRepository, refs: readonly Ref[]): Promise<void> {
  if (refs.length === 0) return;
  const lines = refs.map(({ name, oid, peeled }) => (peeled ? `${oid} ${name}\n^${peeled}\n` : `${oid} ${name}\n`));
  const file = await open(join(path, 'packed-refs'), 'wx');
  try {
    // Both lists are sorted, and heads come before tags.
    await file.writeFile(`# pack-refs with: sorted \n${lines.join('')}`);
    await file.sync();
  } finally {
    await file.close();
  }
}
