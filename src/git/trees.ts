import type { GitObject } from './object.ts';
import type { GitPool } from './objects.ts';
import { emptyTreeId, type GitRepository } from './repository.ts';
import { decodeText } from './text.ts';
import { treeMode } from './tree-format.ts';

/** The modes of entries, as git writes them with six digits. */
export type EntryMode = '100644' | '100755' | '120000' | '040000' | '160000';

/** A file, folder, symbolic link or submodule in a tree. */
export interface TreeEntry {
  /**
   * The name within its folder. Bytes that are not UTF-8 are U+FFFD, as JSON cannot hold them; lookups take the name as
   * it is given here, so whatever was listed can be read, and of two names that read alike the first is meant.
   */
  readonly name: string;
  readonly mode: EntryMode;
  /** `commit` is a submodule. */
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: string;
}

/** An entry with its path from the tree that was listed. */
export interface PathEntry extends TreeEntry {
  readonly path: string;
}

/** A {@link PathEntry} with the bytes of its blob; folders and submodules have none. */
export interface SizedEntry extends PathEntry {
  readonly size: number | undefined;
}

/** A tree's listing with all that is below it. */
export interface RecursiveListing<Entry extends PathEntry = PathEntry> {
  /** Folders before what they hold, each folder in git's order. */
  readonly entries: readonly Entry[];
  /** Whether entries are missing because there are more than the bound. */
  readonly truncated: boolean;
}

/** The most entries that a recursive listing answers, unless the caller says otherwise. */
export const MAX_RECURSIVE_ENTRIES = 250_000;

/** Folders nested deeper than this are not entered: trees can be made to nest without end. */
const MAX_DEPTH = 1024;

const SPACE = 32;

/** The entries of a tree in git's order; `undefined` if there is no tree of this id. */
export async function readTree(repository: GitRepository, pool: GitPool, oid: string): Promise<readonly TreeEntry[] | undefined> {
  if (oid === emptyTreeId(repository.objectFormat)) return [];
  return pool.parsed(repository, 'tree', oid, (object) => {
    const value = parseTree(object, repository.objectFormat === 'sha256' ? 32 : 20);
    return { value, bytes: 200 + 250 * value.length };
  });
}

/**
 * Everything below a tree; `undefined` if there is no tree of this id. Folders are read level by level, so that
 * depth, not the number of folders, decides how long it takes.
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
    return { ...listing, entries: listing.entries.map((entry) => ({ ...entry, size: sizes.get(entry.oid) })) };
  };
  const bytes = (listing: RecursiveListing | undefined) => 100 + 200 * (listing?.entries.length ?? 0);
  return pool.cache.remember(repository, `sized ${maxEntries} ${oid}`, bytes, compute);
}

/** The sizes in bytes of the blobs among `entries`, by object id; other entries have none. */
export async function blobSizes(
  repository: GitRepository,
  pool: GitPool,
  entries: readonly Pick<TreeEntry, 'type' | 'oid'>[],
): Promise<Map<string, number>> {
  const oids = new Set(entries.filter(({ type }) => type === 'blob').map(({ oid }) => oid));
  const infos = await Promise.all([...oids].map((oid) => pool.info(repository, oid)));
  return new Map(infos.filter((info) => info !== undefined).map(({ oid, size }) => [oid, size]));
}

/** The names on the way to a path; `undefined` if it is no path within a tree (`..`, `.`, empty names, NUL). */
export function splitPath(path: string): string[] | undefined {
  if (path === '') return [];
  const names = path.split('/');
  return names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0')) ? undefined : names;
}

/**
 * The entry at a path below a tree; `undefined` if there is none. The empty path is the tree itself. Links and submodules are
 * not followed.
 */
export async function findEntry(repository: GitRepository, pool: GitPool, tree: string, path: string): Promise<TreeEntry | undefined> {
  const names = splitPath(path);
  if (!names) return undefined;
  let entry: TreeEntry | undefined = { name: '', mode: '040000', type: 'tree', oid: tree };
  for (const name of names) {
    if (entry?.type !== 'tree') return undefined;
    const entries: readonly TreeEntry[] | undefined = await readTree(repository, pool, entry.oid);
    entry = entries?.find((candidate) => candidate.name === name);
  }
  return entry;
}

/** Parses a tree object: mode, name and raw id of each entry. */
export function parseTree(object: Pick<GitObject, 'data'>, idBytes: 20 | 32): TreeEntry[] {
  const { data } = object;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(SPACE, at);
    const end = data.indexOf(0, space);
    if (space === -1 || end === -1 || end + 1 + idBytes > data.length) break;
    const mode = treeMode(data.toString('latin1', at, space)) ?? '100644';
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    const name = decodeText(data.subarray(space + 1, end));
    entries.push({ name, mode, type, oid: data.toString('hex', end + 1, end + 1 + idBytes) });
    at = end + 1 + idBytes;
  }
  return entries;
}

interface Folder {
  path: string;
  entries: readonly TreeEntry[];
  folders: Map<string, Folder>;
}

async function listRecursive(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  maxEntries: number,
): Promise<RecursiveListing | undefined> {
  const entries = await readTree(repository, pool, oid);
  if (!entries) return undefined;
  const root: Folder = { path: '', entries, folders: new Map() };
  let level = [root];
  let count = entries.length;
  for (let depth = 0; level.length > 0 && count <= maxEntries && depth < MAX_DEPTH; depth++) {
    const below = await Promise.all(
      level.flatMap((folder) =>
        folder.entries
          .filter(({ type }) => type === 'tree')
          .map(async ({ name, oid }) => {
            const path = `${folder.path}${name}/`;
            const child: Folder = { path, entries: (await readTree(repository, pool, oid)) ?? [], folders: new Map() };
            folder.folders.set(name, child);
            return child;
          }),
      ),
    );
    count += below.reduce((sum, folder) => sum + folder.entries.length, 0);
    level = below;
  }
  const listed: PathEntry[] = [];
  collect(root, listed, maxEntries);
  return { entries: listed, truncated: listed.length >= maxEntries && count > maxEntries };
}

function collect(folder: Folder, listed: PathEntry[], maxEntries: number): void {
  for (const entry of folder.entries) {
    if (listed.length >= maxEntries) return;
    listed.push({ ...entry, path: folder.path + entry.name });
    const child = entry.type === 'tree' ? folder.folders.get(entry.name) : undefined;
    if (child) collect(child, listed, maxEntries);
  }
}
