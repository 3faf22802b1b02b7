import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitRepository, isObjectId, whileWriting } from '../repository.ts';
import { LockError, type LockFile, LockPathError, lockFile, removeEmptyParents } from './lock-file.ts';
import { readLooseRef, readPackedText } from './ref-files.ts';
import { isValidRefName } from './ref-names.ts';
import { findRefBelow, packedId, packedRefsWithout, storedHead, storedRef } from './stored-refs.ts';

/** The update of one ref. */
export interface RefUpdate {
  /** The full name. */
  name: string;
  /** The new object id; null deletes the ref. The object must exist: this is not checked. */
  to: string | null;
  /** The expected current id; null: it must not exist; left out: any. */
  from?: string | null;
}

/** A ref does not have the expected id. */
export class StaleRefError extends Error {
  override readonly name = 'StaleRefError';
  readonly ref: string;
  readonly expected: string | null;
  readonly actual: string | null;
  constructor(ref: string, expected: string | null, actual: string | null) {
    super(`${ref} is at ${actual ?? 'nothing'}, not at ${expected ?? 'nothing'}`);
    this.ref = ref;
    this.expected = expected;
    this.actual = actual;
  }
}

/** A ref cannot be created because of another: `a` and `a/b` cannot both exist. */
export class RefConflictError extends Error {
  override readonly name = 'RefConflictError';
  readonly ref: string;
  readonly existing: string;
  constructor(ref: string, existing: string) {
    super(`${ref} cannot be made beside ${existing}`);
    this.ref = ref;
    this.existing = existing;
  }
}

/** Another writer holds the lock of one of the refs. */
export class RefLockedError extends Error {
  override readonly name = 'RefLockedError';
}

/** git would not accept the name or the object id. */
export class InvalidRefError extends Error {
  override readonly name = 'InvalidRefError';
}

/** Called under the locks, once all ids are as expected and before any ref moves; an error stops the update. */
export type BeforeMove = () => Promise<void>;

interface Held {
  update: RefUpdate;
  lock: LockFile;
}

/**
 * Updates refs, all or none, by git's own locking protocol and without starting git. Readers see each ref's old or new value.
 * @throws InvalidRefError, StaleRefError, RefConflictError, RefLockedError; then nothing has moved
 */
export async function updateRefs(repository: GitRepository, updates: readonly RefUpdate[], beforeMove?: BeforeMove): Promise<void> {
  await whileWriting(repository, () => updateLocked(repository, updates, beforeMove));
}

async function updateLocked(repository: GitRepository, updates: readonly RefUpdate[], beforeMove?: BeforeMove): Promise<void> {
  // All writers lock in the same order, so that two with the same refs never deadlock.
  const ordered = [...updates].sort((a, b) => (a.name < b.name ? -1 : 1));
  requireUsable(repository, ordered);
  const held: Held[] = [];
  let packedLock: LockFile | undefined;
  try {
    for (const update of ordered) held.push({ update, lock: await lockRef(repository, update.name) });
    // pack-refs may be moving a ref into packed-refs right now: only its lock prevents a deleted ref from reappearing.
    if (ordered.some(({ to }) => to === null)) packedLock = await lockPackedRefs(repository);
    const packed = readPackedText(repository.path);
    for (const { update } of held) requireExpected(repository, update, packed, ordered);
    await beforeMove?.();
    await move(repository, held, packedLock);
  } finally {
    await packedLock?.release();
    for (const { lock } of held) await lock.release();
    for (const { update, lock } of held)
      if (update.to === null) await removeEmptyParents(lock.path, protectedFolder(repository, update.name));
  }
}

/** Moves, creates or deletes one ref; see {@link updateRefs}. */
export async function updateRef(repository: GitRepository, update: RefUpdate, beforeMove?: BeforeMove): Promise<void> {
  await updateRefs(repository, [update], beforeMove);
}

/**
 * Sets HEAD to a branch, which need not exist.
 * @throws InvalidRefError when `ref` is not a branch's full name
 */
export async function setHead(repository: GitRepository, ref: string): Promise<void> {
  if (!ref.startsWith('refs/heads/') || !isValidRefName(ref)) throw new InvalidRefError(`not a branch: ${JSON.stringify(ref)}`);
  await whileWriting(repository, async () => {
    const lock = await lockRef(repository, 'HEAD');
    try {
      await lock.write(`ref: ${ref}\n`);
      await lock.commit();
    } finally {
      await lock.release();
    }
  });
}

/**
 * Renames a branch, and HEAD with it if it points to the branch.
 * @throws StaleRefError when there is no branch `from`, or one `to`; RefConflictError when another ref is in the way
 */
export async function renameBranch(repository: GitRepository, from: string, to: string): Promise<void> {
  const [oldName, newName] = [`refs/heads/${from}`, `refs/heads/${to}`];
  const id = storedRef(repository, oldName);
  if (id === undefined) throw new StaleRefError(oldName, 'a commit', null);
  const [deletion, creation] = [
    { name: oldName, to: null, from: id },
    { name: newName, to: id, from: null },
  ];
  if (newName.startsWith(`${oldName}/`) || oldName.startsWith(`${newName}/`)) {
    // A file cannot become a folder in one step: the old ref is deleted first, and restored if the new one fails.
    await updateRef(repository, deletion);
    try {
      await updateRef(repository, creation);
    } catch (error) {
      await updateRef(repository, { name: oldName, to: id, from: null });
      throw error;
    }
  } else {
    await updateRefs(repository, [deletion, creation]);
  }
  if (storedHead(repository) === oldName) await setHead(repository, newName);
}

async function move(repository: GitRepository, held: readonly Held[], packedLock: LockFile | undefined): Promise<void> {
  const [moving, deleting] = [held.filter(({ update }) => update.to !== null), held.filter(({ update }) => update.to === null)];
  for (const { update, lock } of moving) await lock.write(`${update.to}\n`);
  for (const { lock } of moving) await lock.commit();
  const remaining = packedLock && packedRefsWithout(repository, new Set(deleting.map(({ update }) => update.name)));
  // packed-refs first: if the loose file were deleted first, an old packed value would become visible. Its lock stays until that file is
  // deleted: otherwise git could pack the ref again, and it would reappear.
  if (remaining !== undefined) await packedLock?.replace(remaining);
  for (const { lock, update } of deleting) {
    await rm(lock.path, { force: true }).catch((error: NodeJS.ErrnoException) => {
      // A packed ref may have an empty folder at its path.
      if (error.code !== 'ERR_FS_EISDIR') throw error;
    });
    await rm(join(repository.path, 'logs', update.name), { force: true }).catch(() => {});
  }
}

function requireExpected(repository: GitRepository, update: RefUpdate, packed: string, all: readonly RefUpdate[]): void {
  const loose = readLooseRef(repository.path, update.name, repository.objectFormat);
  if (loose && 'target' in loose) throw new InvalidRefError(`${update.name} is a symbolic ref`);
  const actual = loose?.oid ?? packedId(packed, update.name) ?? null;
  const expected = update.from ?? null;
  if (update.from !== undefined && expected !== actual) throw new StaleRefError(update.name, expected, actual);
  if (update.to === null && actual === null) throw new StaleRefError(update.name, 'something', null);
  if (update.to !== null && actual === null) requireRoom(repository, update.name, packed, all);
}

/** A ref is a file: none of its folders may be a ref, and it may not be a folder of refs. */
function requireRoom(repository: GitRepository, name: string, packed: string, all: readonly RefUpdate[]): void {
  const deleted = new Set(all.flatMap((other) => (other.to === null ? [other.name] : [])));
  const above = foldersTo(name).find((folder) => packedId(packed, folder) !== undefined && !deleted.has(folder));
  const beside = all.find((other) => other.to !== null && (name.startsWith(`${other.name}/`) || other.name.startsWith(`${name}/`)));
  const existing = above ?? beside?.name ?? findRefBelow(repository, name, packed, deleted);
  if (existing) throw new RefConflictError(name, existing);
}

/** `refs/heads/a/b` → `refs/heads`, `refs/heads/a`. */
function foldersTo(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1, -1).map((_, index) => parts.slice(0, index + 2).join('/'));
}

async function lockRef(repository: GitRepository, name: string): Promise<LockFile> {
  try {
    return await lockFile(repository.path, join(repository.path, name));
  } catch (error) {
    if (error instanceof LockError) throw new RefLockedError(error.message);
    if (error instanceof LockPathError) {
      const isRef = (folder: string) => readLooseRef(repository.path, folder, repository.objectFormat) !== undefined;
      throw new RefConflictError(name, foldersTo(name).find(isRef) ?? name);
    }
    throw error;
  }
}

async function lockPackedRefs(repository: GitRepository): Promise<LockFile> {
  try {
    return await lockFile(repository.path, join(repository.path, 'packed-refs'));
  } catch (error) {
    if (error instanceof LockError) throw new RefLockedError(error.message);
    throw error;
  }
}

/** The folder that stays when its last ref is deleted: git does not recognize a repository without `refs`. */
function protectedFolder(repository: GitRepository, name: string): string {
  const kept = /^refs\/(heads|tags)\//.test(name) ? name.split('/').slice(0, 2).join('/') : 'refs';
  return join(repository.path, kept);
}

function requireUsable(repository: GitRepository, updates: readonly RefUpdate[]): void {
  const names = new Set<string>();
  for (const { name, to } of updates) {
    if (!name.startsWith('refs/') || !isValidRefName(name)) throw new InvalidRefError(`not a ref name: ${JSON.stringify(name)}`);
    if (to !== null && (!isObjectId(to, repository.objectFormat) || /^0+$/.test(to)))
      throw new InvalidRefError(`not an object id: ${JSON.stringify(to)}`);
    if (names.has(name)) throw new InvalidRefError(`two updates of ${name}`);
    names.add(name);
  }
}
