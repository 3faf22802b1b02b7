import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isValidRefName } from '../../../git/refs/ref-names.ts';
import { isObjectId, type ObjectFormat } from '../../../git/repository.ts';

/** Size limit of a file of refs in bytes: a million refs. */
const MAX_PACKED = 128 * 2 ** 20;
/** Size limit of the file of one ref in bytes. */
const MAX_LOOSE = 1024;
/** Maximum depth of folders. */
const MAX_DEPTH = 32;

/** The refs of a source repository, read without git and without following symbolic links. */
export interface SourceRefs {
  /** By full name. */
  readonly refs: ReadonlyMap<string, string>;
  /** Names of refs that were left out. */
  readonly refused: readonly string[];
}

/** Reads all refs below `refs/`, loose ones before packed ones. Symbolic refs are left out. */
export async function readSourceRefs(folder: string, format: ObjectFormat): Promise<SourceRefs> {
  const refs = new Map<string, string>();
  const refused: string[] = [];
  const take = (name: string, value: string) => {
    if (name.startsWith('refs/') && isValidRefName(name) && isObjectId(value, format)) refs.set(name, value);
    else refused.push(name);
  };
  const packed = (await readSmall(join(folder, 'packed-refs'), MAX_PACKED)) ?? '';
  for (const line of packed.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) continue;
    const space = line.indexOf(' ');
    take(line.slice(space + 1), line.slice(0, space));
  }
  for (const name of await looseNames(folder, 'refs', 0)) take(name, ((await readSmall(join(folder, name), MAX_LOOSE)) ?? '').trim());
  return { refs, refused };
}

/** The branch of HEAD; undefined if HEAD is detached. */
export async function readSourceHead(folder: string): Promise<string | undefined> {
  const text = (await readSmall(join(folder, 'HEAD'), MAX_LOOSE)) ?? '';
  return /^ref: refs\/heads\/(.+)$/.exec(text.trim())?.[1];
}

async function looseNames(folder: string, name: string, depth: number): Promise<string[]> {
  const path = join(folder, name);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory() || depth > MAX_DEPTH) return [];
  const found: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = `${name}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await looseNames(folder, inner, depth + 1)));
    else if (entry.isFile() && !inner.endsWith('.lock')) found.push(inner);
  }
  return found;
}

async function readSmall(path: string, maxSize: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const stats = await file?.stat();
    return stats?.isFile() && stats.size <= maxSize ? await file?.readFile('utf8') : undefined;
  } finally {
    await file?.close();
  }
}
