import { setImmediate } from 'node:timers/promises';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { GitObject } from '../objects/object.ts';
import type { GitPool } from '../objects/objects.ts';
import { decodeText } from '../objects/text.ts';
import type { TreeEntry } from '../objects/tree-entry.ts';
import { treeMode } from '../objects/tree-format.ts';
import { emptyTreeId, type GitRepository } from '../repository.ts';

/** How many sizes are read at once for one listing. */
const SIZE_BATCH = 500;

/** How many entries are parsed before other requests run. */
const PARSE_BATCH = 10_000;

const SPACE = 32;

/** The entries of a tree in git's order; `undefined` if there is no tree of this id. */
export async function readTree(repository: GitRepository, pool: GitPool, oid: string): Promise<readonly TreeEntry[] | undefined> {
  if (oid === emptyTreeId(repository.objectFormat)) return [];
  return pool.parsed(repository, 'tree', oid, async (object) => {
    const value: TreeEntry[] = [];
    for (const entry of treeEntries(object, repository.objectFormat === 'sha256' ? 32 : 20)) {
      value.push(entry);
      if (value.length % PARSE_BATCH === 0) await setImmediate();
    }
    return { value, bytes: 200 + 250 * value.length };
  });
}

/** The sizes in bytes of the blobs among `entries`, by object id; other entries have none. */
export async function blobSizes(
  repository: GitRepository,
  pool: GitPool,
  entries: readonly Pick<TreeEntry, 'type' | 'oid'>[],
): Promise<Map<string, number>> {
  const oids = [...new Set(entries.filter(({ type }) => type === 'blob').map(({ oid }) => oid))];
  const sizes = new Map<string, number>();
  const slice = new TimeSlice();
  for (let at = 0; at < oids.length; at += SIZE_BATCH) {
    if (slice.isOver) await slice.next();
    const infos = await Promise.all(oids.slice(at, at + SIZE_BATCH).map((oid) => pool.info(repository, oid)));
    for (const info of infos) if (info) sizes.set(info.oid, info.size);
  }
  return sizes;
}

/** The names of a path; `undefined` if it is not a path within a tree (`..`, `.`, empty names, NUL). */
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
export function* treeEntries({ data }: Pick<GitObject, 'data'>, idBytes: 20 | 32): Generator<TreeEntry> {
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(SPACE, at);
    const end = data.indexOf(0, space);
    if (space === -1 || end === -1 || end + 1 + idBytes > data.length) break;
    const mode = treeMode(data.toString('latin1', at, space)) ?? '100644';
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    const name = decodeText(data.subarray(space + 1, end));
    yield { name, mode, type, oid: data.toString('hex', end + 1, end + 1 + idBytes) };
    at = end + 1 + idBytes;
  }
}
