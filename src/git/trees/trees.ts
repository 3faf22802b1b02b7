import { setImmediate } from 'node:timers/promises';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { ownBytes } from '../../text/own-bytes.ts';
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

/** Larger trees are cached as they are, in bytes: their entries would be too large for the cache. */
const LARGE_TREE = 1024 * 1024;

/** The entries of a tree in git's order; `undefined` if there is no tree of this id. */
export async function readTree(repository: GitRepository, pool: GitPool, oid: string): Promise<readonly TreeEntry[] | undefined> {
  const tree = await readEitherTree(repository, pool, oid);
  return Buffer.isBuffer(tree) ? await pool.cache.share(repository, `entries ${oid}`, () => parseTree(repository, tree)) : tree;
}

/** The entries of a tree, or its bytes if it is large; `undefined` if there is no tree of this id. */
async function readEitherTree(repository: GitRepository, pool: GitPool, oid: string): Promise<readonly TreeEntry[] | Buffer | undefined> {
  if (oid === emptyTreeId(repository.objectFormat)) return [];
  return pool.parsed<readonly TreeEntry[] | Buffer>(repository, 'tree', oid, async ({ data }) => {
    if (data.length > LARGE_TREE) return { value: ownBytes(data), bytes: data.length };
    const value = await parseTree(repository, data);
    return { value, bytes: 200 + 250 * value.length };
  });
}

async function parseTree(repository: GitRepository, data: Buffer): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for (const entry of treeEntries({ data }, idBytesOf(repository))) {
    entries.push(entry);
    if (entries.length % PARSE_BATCH === 0) await setImmediate();
  }
  return entries;
}

/** The searches in large trees, of all callers. */
const searching = new TimeSlice();

/**
 * The entries of a tree with these few names; empty if there is no tree of this id. Of a large tree the others are not parsed, which takes a
 * tenth of the time.
 */
export async function findEntries(
  repository: GitRepository,
  pool: GitPool,
  oid: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const tree = (await readEitherTree(repository, pool, oid)) ?? [];
  // A request may look for hundreds of files, each of which takes some milliseconds.
  if (Buffer.isBuffer(tree)) while (searching.isOver) await searching.next();
  const found = new Map<string, TreeEntry>();
  const wanted = new Set(names);
  const entries = Buffer.isBuffer(tree) ? treeEntries({ data: tree }, idBytesOf(repository), new Set(names)) : tree;
  for (const entry of entries) {
    // The first of two with one name counts.
    if (wanted.delete(entry.name)) found.set(entry.name, entry);
    if (wanted.size === 0) break;
  }
  return found;
}

function idBytesOf({ objectFormat }: GitRepository): 20 | 32 {
  return objectFormat === 'sha256' ? 32 : 20;
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
    entry = (await findEntries(repository, pool, entry.oid, [name])).get(name);
  }
  return entry;
}

/**
 * Parses a tree object: mode, name and raw id of each entry.
 * @param wanted only entries with these names; all when left out
 */
export function* treeEntries({ data }: Pick<GitObject, 'data'>, idBytes: 20 | 32, wanted?: ReadonlySet<string>): Generator<TreeEntry> {
  const isOther = wanted && otherNames(wanted);
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(SPACE, at);
    const end = data.indexOf(0, space);
    if (space === -1 || end === -1 || end + 1 + idBytes > data.length) break;
    if (isOther?.(data, space + 1, end)) {
      at = end + 1 + idBytes;
      continue;
    }
    const mode = treeMode(data.toString('latin1', at, space)) ?? '100644';
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    const name = decodeText(data.subarray(space + 1, end));
    yield { name, mode, type, oid: data.toString('hex', end + 1, end + 1 + idBytes) };
    at = end + 1 + idBytes;
  }
}

/** Tells names that are none of these few from their bytes, most of them by their length or last byte alone. */
function otherNames(names: ReadonlySet<string>): (data: Buffer, start: number, end: number) => boolean {
  // Bytes that are not UTF-8 become this character, whatever their number.
  if ([...names].some((name) => name.includes('\ufffd'))) return () => false;
  const raw = [...names].map((name) => Buffer.from(name));
  return (data, start, end) => !raw.some((name) => isAt(name, data, start, end));
}

function isAt(name: Buffer, data: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = name.length - 1; at >= 0; at--) if (name[at] !== data[start + at]) return false;
  return true;
}
