import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPool } from '../../git/objects/objects.ts';
import { CUSTOM_HOOKS, CUSTOM_HOOKS_FOLDER } from '../../git/protocol/custom-hooks.ts';
import { listRefs } from '../../git/refs/refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import type { FileIndex } from '../file-index.ts';
import { repositoryPath } from '../layout.ts';
import type { BackupSink } from './sink.ts';

/** Maintenance that moves objects from file to file has the copy look again; so often it never does. */
const MAX_PASSES = 20;
const PACK_FILE = /^pack-[0-9a-f]+\.(pack|idx|rev|bitmap|mtimes)$/;
const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE_FILE = /^[0-9a-f]{38}([0-9a-f]{24})?$/;

/** The inputs of copying a repository. */
export interface RepositoryCopy {
  readonly repository: GitRepository;
  /** Such as `5.wiki.git`. */
  readonly folder: string;
  readonly pool: GitPool;
  readonly sink: BackupSink;
  readonly index: FileIndex;
}

/** Where the refs of a copied repository wait for the end of the backup. */
export function refsFile(sink: BackupSink, folder: string): string {
  return join(sink.scratch, `refs-${folder}`);
}

/**
 * Copies the objects and scripts of a repository, and records its refs. Refs come first: their objects exist, and remain as long as
 * cleanup is held back.
 */
export async function copyRepositoryFiles(copy: RepositoryCopy): Promise<void> {
  const { repository, folder, pool, sink } = copy;
  const refs = await listRefs(repository, pool);
  const lines = refs.filter(({ isSymbolic }) => !isSymbolic).map(({ name, oid, peeled }) => JSON.stringify([name, oid, peeled ?? '']));
  await writeFile(refsFile(sink, folder), lines.join('\n'), { mode: 0o600 });
  const done = new Set<string>();
  for (const objects of await objectFolders(join(repository.path, 'objects'))) await copyObjects(copy, objects, done);
  for (const hook of CUSTOM_HOOKS)
    await copyFile(copy, join(repository.path, CUSTOM_HOOKS_FOLDER, hook), `${CUSTOM_HOOKS_FOLDER}/${hook}`, false);
  await copyFile(copy, join(repository.path, 'shallow'), 'shallow', false);
}

/** Folders of objects, including borrowed ones: the copy is self-contained. */
async function objectFolders(objects: string, depth = 0): Promise<string[]> {
  const text = await readFile(join(objects, 'info/alternates'), 'utf8').catch(() => '');
  const others = text.split('\n').filter((line) => line.startsWith('/') && depth < 5);
  return [objects, ...(await Promise.all(others.map((other) => objectFolders(other, depth + 1)))).flat()];
}

/** Loose objects go first, as maintenance moves objects from there into packs and never back. */
async function copyObjects(copy: RepositoryCopy, objects: string, done: Set<string>): Promise<void> {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = done.size;
    let lost = 0;
    for (const name of await namesIn(objects)) if (LOOSE_FOLDER.test(name)) lost += await copyFolder(copy, objects, name, LOOSE_FILE, done);
    lost += await copyFolder(copy, objects, 'pack', PACK_FILE, done);
    if (lost === 0 && done.size === before) return;
  }
  throw new Error(`the objects in ${objects} keep changing`);
}

/** Returns how many files were deleted before they could be copied. */
async function copyFolder(copy: RepositoryCopy, objects: string, name: string, pattern: RegExp, done: Set<string>): Promise<number> {
  let lost = 0;
  for (const file of await namesIn(join(objects, name))) {
    const path = `${name}/${file}`;
    if (!pattern.test(file) || done.has(path)) continue;
    // Bitmaps and times of unreachable objects can change under one name.
    const isImmutable = !/\.(bitmap|mtimes|rev)$/.test(file);
    if (await copyFile(copy, join(objects, path), `objects/${path}`, isImmutable)) done.add(path);
    else lost++;
  }
  return lost;
}

/** False when there is no such file (any more). Files that forks share are one file in the backup, too. */
async function copyFile({ folder, sink, index }: RepositoryCopy, source: string, file: string, isImmutable: boolean): Promise<boolean> {
  const path = repositoryPath(folder, file);
  // Copied before the repository was moved.
  if (index.find(path)) return true;
  try {
    const { size, mtimeMs, nlink, dev, ino } = await stat(source);
    const first = nlink > 1 ? index.firstName(`${dev}:${ino}`, path) : path;
    if (first !== path && index.find(first)?.size === size) await sink.link(path, first);
    else await sink.add({ path, size, modified: Math.floor(mtimeMs), isImmutable, open: () => opened(source) });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && (error as NodeJS.ErrnoException).path === source) return false;
    throw error;
  }
}

async function opened(path: string) {
  const stream = createReadStream(path);
  await once(stream, 'open');
  return stream;
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
