import { join } from 'node:path';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { GitPool } from '../objects/objects.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { PackedRefs } from './packed-refs.ts';
import { fileState, looseNames, type RefFolder, type RefValue, readLooseRef, readPackedText, readRefFolder } from './ref-files.ts';
import { compareNames, isValidRefName } from './ref-names.ts';

/** A branch, tag or other ref. */
export interface Ref {
  /** The full name, such as `refs/heads/main`. */
  readonly name: string;
  /** What it points to: for an annotated tag, the tag object. */
  readonly oid: string;
  /** The target of an annotated tag, if `packed-refs` has it; call `peel` where it matters. */
  readonly peeled: string | undefined;
  /** Whether it is symbolic, with the object of its target; set in lists. */
  readonly isSymbolic?: true;
}

/** The content of `HEAD`. */
export interface Head {
  /** The ref that it names, such as `refs/heads/main`; `undefined` if it is detached. */
  readonly ref: string | undefined;
  /** The commit; `undefined` if the branch is unborn. */
  readonly oid: string | undefined;
}

/** Symbolic refs are followed this far, as git does. */
const MAX_SYMBOLIC_DEPTH = 5;

/** Reads `HEAD`. */
export async function readHead(repository: GitRepository, pool: GitPool): Promise<Head> {
  const value = readLooseRef(repository.path, 'HEAD', repository.objectFormat);
  if (!value) return { ref: undefined, oid: undefined };
  if ('oid' in value) return { ref: undefined, oid: value.oid };
  return { ref: value.target, oid: resolve(repository, pool, value)?.oid };
}

/** The ref of this full name (`refs/heads/main`), never cached; `undefined` if there is none. */
export async function readRef(repository: GitRepository, pool: GitPool, name: string): Promise<Ref | undefined> {
  if (!name.startsWith('refs/') || !isValidRefName(name)) return undefined;
  return lookUp(repository, pool, name);
}

/**
 * The refs whose names begin with `prefix`, in git's order. A prefix that does not end with `/` may end within a name.
 * Concurrent changes of git are seen completely or not at all.
 */
export async function listRefs(repository: GitRepository, pool: GitPool, prefix = 'refs/'): Promise<readonly Ref[]> {
  const folder = /^refs(\/.*)?(?=\/)/.exec(prefix)?.[0] ?? 'refs';
  if (`${folder}/`.includes('//') || folder.split('/').some((name) => name === '.' || name === '..' || name.includes('\0'))) return [];
  const all = await refsBelow(repository, pool, folder);
  return prefix === `${folder}/` ? all : all.filter(({ name }) => name.startsWith(prefix));
}

/** The number of refs in a folder and below, by their names alone: one with a broken file counts, too. */
export async function countRefs(repository: GitRepository, pool: GitPool, folder: string): Promise<number> {
  const loose = await looseNames(repository.path, folder);
  const packed = packedRefs(repository, pool);
  let count = (await packedBelow(repository, pool, `${folder}/`)).length;
  const slice = new TimeSlice();
  for (const name of loose) {
    if (slice.isOver) await slice.next();
    if (!packed.get(name)) count++;
  }
  return count;
}

function lookUp(repository: GitRepository, pool: GitPool, name: string, depth = 0): Ref | undefined {
  // Loose before packed: git writes packed-refs before it deletes the loose file.
  const value = readLooseRef(repository.path, name, repository.objectFormat);
  if (value && 'oid' in value) return { name, oid: value.oid, peeled: undefined };
  if (value) {
    const oid = resolve(repository, pool, value, depth)?.oid;
    return oid === undefined ? undefined : { name, oid, peeled: undefined };
  }
  const packed = packedRefs(repository, pool).get(name);
  return packed && { name, ...packed };
}

function resolve(repository: GitRepository, pool: GitPool, value: RefValue, depth = 0): { oid: string } | undefined {
  if ('oid' in value) return value;
  if (depth >= MAX_SYMBOLIC_DEPTH || !isValidRefName(value.target)) return undefined;
  return lookUp(repository, pool, value.target, depth + 1);
}

/** What was read from a file or folder. */
interface Cached<T> {
  /** The state of that; undefined when it might have changed since without showing. */
  state: string | undefined;
  value: T;
}

const NO_PACKED_REFS = new PackedRefs('');

/** Right after a change, when the state of the file does not say enough, it is read each time, but lists are made again only for another text. */
function packedRefs(repository: GitRepository, pool: GitPool): PackedRefs {
  const file = fileState(join(repository.path, 'packed-refs'));
  if (!file) return NO_PACKED_REFS;
  const cached = pool.cache.get<Cached<PackedRefs> & { text: string }>(repository, 'packed-refs');
  if (cached?.state === file.signature) return cached.value;
  const text = readPackedText(repository.path);
  const value = cached?.text === text ? cached.value : new PackedRefs(text);
  const state = file.settled ? file.signature : undefined;
  pool.cache.set(repository, 'packed-refs', { state, text, value }, text.length);
  return value;
}

/** A folder of loose refs under its own name. */
interface LooseFolder {
  folder: string;
  content: RefFolder;
}

/** A folder of loose refs and those below it. */
async function looseFolders(repository: GitRepository, pool: GitPool, folder: string, found: LooseFolder[]): Promise<void> {
  const state = fileState(join(repository.path, folder));
  if (!state) return;
  const key = `loose ${folder}`;
  const cached = pool.cache.get<Cached<RefFolder>>(repository, key);
  const isSame = cached?.state === state.signature;
  const content = isSame ? cached.value : await readRefFolder(repository.path, folder, repository.objectFormat, state);
  if (!content) return;
  if (!isSame && state.settled) pool.cache.set(repository, key, { state: state.signature, value: content }, 200 * content.refs.size);
  found.push({ folder, content });
  for (const name of content.folders) await looseFolders(repository, pool, `${folder}/${name}`, found);
}

async function refsBelow(repository: GitRepository, pool: GitPool, folder: string): Promise<readonly Ref[]> {
  const folders: LooseFolder[] = [];
  await looseFolders(repository, pool, folder, folders);
  const packed = await packedBelow(repository, pool, `${folder}/`);
  const key = `below ${folder}`;
  const cached = pool.cache.get<{ folders: LooseFolder[]; packed: readonly Ref[]; refs: readonly Ref[] }>(repository, key);
  const isSame = cached?.packed === packed && cached.folders.length === folders.length;
  if (isSame && cached.folders.every(({ content }, index) => content === folders[index]?.content)) return cached.refs;
  const loose = new Map<string, RefValue>();
  const slice = new TimeSlice();
  for (const { folder, content } of folders) {
    for (const [name, value] of content.refs) {
      if (slice.isOver) await slice.next();
      loose.set(`${folder}/${name}`, value);
    }
  }
  if (loose.size === 0) return packed;
  const own: Ref[] = [];
  let isSettled = true;
  for (const [name, value] of loose) {
    if (slice.isOver) await slice.next();
    // The target of a symbolic ref may change without its folder.
    if (!('oid' in value)) isSettled = false;
    const oid = resolve(repository, pool, value)?.oid;
    if (oid !== undefined) own.push({ name, oid, peeled: undefined, ...('target' in value && { isSymbolic: true }) });
  }
  const refs = await merged(packed, await sorted(own), loose);
  if (isSettled) pool.cache.set(repository, key, { folders, packed, refs }, 100 * refs.length);
  return refs;
}

/** How many refs are sorted before others are served. */
const SORTED_AT_ONCE = 2000;

/** Sorts refs in parts, which are merged: a hundred thousand at once would block the thread for a quarter of a second. */
async function sorted(refs: Ref[]): Promise<readonly Ref[]> {
  if (refs.length <= SORTED_AT_ONCE) return refs.sort((a, b) => compareNames(a.name, b.name));
  const half = refs.length >>> 1;
  const [first, second] = [await sorted(refs.slice(0, half)), await sorted(refs.slice(half))];
  return await merged(first, second, NO_NAMES);
}

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Both lists in one order, without refs of the first that are among `hidden`, such as packed ones that are loose as well: sorting all of
 * them takes long where few are loose.
 */
async function merged(first: readonly Ref[], second: readonly Ref[], hidden: Pick<ReadonlySet<string>, 'has'>): Promise<Ref[]> {
  const refs: Ref[] = [];
  const slice = new TimeSlice();
  let next = 0;
  for (const ref of second) {
    for (let other = first[next]; other && compareNames(other.name, ref.name) <= 0; other = first[++next]) {
      if (slice.isOver) await slice.next();
      if (!hidden.has(other.name)) refs.push(other);
    }
    refs.push(ref);
  }
  for (const other of first.slice(next)) {
    if (slice.isOver) await slice.next();
    if (!hidden.has(other.name)) refs.push(other);
  }
  return refs;
}

/** The packed refs below a folder, sorted; computed once for each state of the file. */
async function packedBelow(repository: GitRepository, pool: GitPool, prefix: string): Promise<readonly Ref[]> {
  const packed = packedRefs(repository, pool);
  const key = `packed-below ${prefix}`;
  const cached = pool.cache.get<{ packed: PackedRefs; refs: readonly Ref[] }>(repository, key);
  if (cached?.packed === packed) return cached.refs;
  const refs: Ref[] = [];
  const slice = new TimeSlice();
  for (const ref of packed.below(prefix)) {
    if (slice.isOver) await slice.next();
    if (isObjectId(ref.oid, repository.objectFormat)) refs.push(ref);
  }
  pool.cache.set(repository, key, { packed, refs }, 100 * refs.length);
  return refs;
}
