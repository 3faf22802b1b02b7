import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { GitPool } from '../objects/objects.ts';
import type { TreeEntry } from '../objects/tree-entry.ts';
import type { GitRepository } from '../repository.ts';
import { blobSizes, readTree } from './trees.ts';

/** An entry with its path from the listed tree. */
export interface PathEntry extends TreeEntry {
  readonly path: string;
}

/** A {@link PathEntry} with the size of its blob in bytes; folders and submodules have none. */
export interface SizedEntry extends PathEntry {
  readonly size: number | undefined;
}

/** A recursive listing of a tree. */
export interface RecursiveListing<Entry extends PathEntry = PathEntry> {
  /** Folders before their contents, each folder in git's order. */
  readonly entries: readonly Entry[];
  /** Whether entries beyond the limit are missing. */
  readonly truncated: boolean;
}

/** The maximum number of entries of a recursive listing, unless the caller sets another limit. */
export const MAX_RECURSIVE_ENTRIES = 250_000;

/** Deeper folders are not entered: trees can be nested endlessly. */
const MAX_DEPTH = 1024;

/** Maximum length of a listed path: no system can check out a longer one. */
export const MAX_PATH = 4096;

/** Total length of all paths of a listing; beyond it entries are missing. */
const MAX_PATHS = 64 * 1024 * 1024;

/** Total size of tree objects that one listing reads; beyond it entries are missing. */
const MAX_TREES = 32 * 1024 * 1024;

/** How many trees are read at once for one listing, and the size from which they are read one by one. */
const READ_BATCH = 64;
const LARGE_BATCH = 1024 * 1024;

/**
 * Everything below a tree; `undefined` if there is no tree of this id. Folders are read level by level, so that
 * the time depends on the depth, not on the number of folders.
 */
export function readTreeRecursive(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  maxEntries = MAX_RECURSIVE_ENTRIES,
): Promise<RecursiveListing | undefined> {
  return pool.cache.remember(
    repository,
    `recursive ${maxEntries} ${oid}`,
    (listing) => 100 + 350 * (listing?.entries.length ?? 0),
    () => listRecursive(repository, pool, oid, maxEntries),
  );
}

/** Like {@link readTreeRecursive}, with the sizes of blobs. */
export function readTreeRecursiveSized(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  maxEntries = MAX_RECURSIVE_ENTRIES,
): Promise<RecursiveListing<SizedEntry> | undefined> {
  const compute = async () => {
    const listing = await readTreeRecursive(repository, pool, oid, maxEntries);
    if (!listing) return undefined;
    const sizes = await blobSizes(repository, pool, listing.entries);
    const slice = new TimeSlice();
    const entries: SizedEntry[] = [];
    for (const entry of listing.entries) {
      if (slice.isOver) await slice.next();
      entries.push({ ...entry, size: sizes.get(entry.oid) });
    }
    return { ...listing, entries };
  };
  const bytes = (listing: RecursiveListing | undefined) => 100 + 200 * (listing?.entries.length ?? 0);
  return pool.cache.remember(repository, `sized ${maxEntries} ${oid}`, bytes, compute);
}

interface Folder {
  path: string;
  entries: readonly TreeEntry[];
  folders: Map<string, Folder>;
}

/**
 * Reads a level's folders, each tree once however often it occurs, and stops at the limit: so nine thousand folders that
 * are all the same tree of nine thousand entries are cheap.
 */
async function listRecursive(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  maxEntries: number,
): Promise<RecursiveListing | undefined> {
  const entries = await readTree(repository, pool, oid);
  if (!entries) return undefined;
  const root: Folder = { path: '', entries, folders: new Map() };
  const left = { entries: maxEntries - entries.length, bytes: MAX_TREES };
  for (let level = [root], depth = 0; level.length > 0 && !isUsedUp(left) && depth < MAX_DEPTH; depth++) {
    const next: Folder[] = [];
    for await (const folder of foldersBelow(repository, pool, level, left)) {
      left.entries -= folder.entries.length;
      if (isUsedUp(left)) break;
      next.push(folder);
    }
    level = next;
  }
  const listed: PathEntry[] = [];
  const isWhole = collect(root, listed, { entries: maxEntries, characters: MAX_PATHS }) && !isUsedUp(left);
  return { entries: listed, truncated: !isWhole };
}

/** The remaining limits of a listing. */
interface Left {
  entries: number;
  bytes: number;
}

function isUsedUp({ entries, bytes }: Left): boolean {
  return entries < 0 || bytes < 0;
}

/** The folders within those of a level, read on demand, some ahead. */
async function* foldersBelow(repository: GitRepository, pool: GitPool, level: readonly Folder[], left: Left): AsyncGenerator<Folder> {
  const trees = new Map<string, readonly TreeEntry[]>();
  for (const batch of batches(level)) {
    const missing = [...new Set(batch.map(({ entry }) => entry.oid))].filter((oid) => !trees.has(oid));
    const infos = await Promise.all(missing.map((oid) => pool.info(repository, oid)));
    const bytes = infos.reduce((sum, info) => sum + (info?.size ?? 0), 0);
    const isLarge = bytes > LARGE_BATCH;
    left.bytes -= bytes;
    if (isUsedUp(left)) return;
    await readInto(trees, missing, (oid) => readTree(repository, pool, oid), isLarge ? left.entries : undefined);
    for (const { folder, entry } of batch) {
      const child: Folder = { path: `${folder.path}${entry.name}/`, entries: trees.get(entry.oid) ?? [], folders: new Map() };
      folder.folders.set(entry.name, child);
      yield child;
    }
  }
}

/**
 * @param limit the number of entries at which reading stops; then trees are read one after the other, since together they might not fit
 * into memory; undefined where they are small
 */
async function readInto(
  trees: Map<string, readonly TreeEntry[]>,
  oids: readonly string[],
  read: (oid: string) => Promise<readonly TreeEntry[] | undefined>,
  limit: number | undefined,
): Promise<void> {
  if (limit === undefined) {
    await Promise.all(oids.map(async (oid) => trees.set(oid, (await read(oid)) ?? [])));
    return;
  }
  let left = limit;
  for (const oid of oids) {
    const entries = left < 0 ? [] : ((await read(oid)) ?? []);
    left -= entries.length;
    trees.set(oid, entries);
  }
}

function* batches(level: readonly Folder[]): Generator<{ folder: Folder; entry: TreeEntry }[]> {
  let batch: { folder: Folder; entry: TreeEntry }[] = [];
  for (const folder of level) {
    for (const entry of folder.entries) {
      if (entry.type !== 'tree' || folder.path.length + entry.name.length >= MAX_PATH) continue;
      batch.push({ folder, entry });
      if (batch.length < READ_BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

/** @returns whether nothing was left out */
function collect(folder: Folder, listed: PathEntry[], left: { entries: number; characters: number }): boolean {
  let isWhole = true;
  for (const entry of folder.entries) {
    if (folder.path.length + entry.name.length > MAX_PATH) {
      isWhole = false;
      continue;
    }
    left.characters -= folder.path.length + entry.name.length;
    if (listed.length >= left.entries || left.characters < 0) return false;
    listed.push({ ...entry, path: folder.path + entry.name });
    const child = entry.type === 'tree' ? folder.folders.get(entry.name) : undefined;
    if (child && !collect(child, listed, left)) isWhole = false;
    if (left.characters < 0) return false;
  }
  return isWhole;
}
