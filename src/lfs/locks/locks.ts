import { posix } from 'node:path';
import { now } from '../../clock.ts';
import { inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { LfsLockRow } from '../../database/tables/lfs.ts';
import { LfsError } from '../errors.ts';
import type { LfsTarget } from '../target.ts';

/** A lock with the name of its owner. */
export interface LfsLock extends LfsLockRow {
  /** `Ghost` for a deleted account. */
  readonly owner: string;
}

/** Filters locks by id, else by path, else by page. */
export interface LockFilter {
  readonly id?: number | undefined;
  readonly path?: string | undefined;
  /** The number of the page, from 0. */
  readonly cursor: number;
  readonly limit: number;
}

/** The path is locked already. */
export class LockExistsError extends Error {
  override readonly name = 'LockExistsError';
  readonly lock: LfsLock;
  constructor(lock: LfsLock) {
    super('already created lock');
    this.lock = lock;
  }
}

/** Size limit of a path in bytes. */
const MAX_PATH = 4096;
/** Locks in one repository. */
const MAX_LOCKS = 100_000;

/** The owner of the caller's locks; locks of a deploy key belong to the repository's owner. */
function lockOwner({ context: { actor }, repository, isDeployKey }: LfsTarget): Pick<User, 'id' | 'name'> | null {
  return isDeployKey ? repository.owner : actor;
}

/** Whether a lock is one of the caller's. */
export function isOwn(target: LfsTarget, { owner_id: ownerId }: LfsLock): boolean {
  return lockOwner(target)?.id === ownerId;
}

/** The locks of a repository in the order of their creation, and whether there are more. */
export async function listLocks(
  db: Db,
  repositoryId: number,
  { id, path, cursor, limit }: LockFilter,
): Promise<{ locks: LfsLock[]; more: boolean }> {
  let query = withOwner(db).where('lfs_locks.repository_id', '=', repositoryId).orderBy('lfs_locks.id');
  if (id !== undefined) query = query.where('lfs_locks.id', '=', id);
  else if (path !== undefined) query = query.where('lfs_locks.lower_path', '=', cleanLockPath(path).toLowerCase());
  else query = query.offset(cursor * limit);
  const rows = await query.limit(limit + 1).execute();
  return { locks: rows.slice(0, limit).map(named), more: rows.length > limit };
}

/**
 * Locks a path for the caller.
 * @throws LockExistsError; LfsError 422 for an invalid path, and for too many locks
 */
export async function createLock(target: LfsTarget, given: string): Promise<LfsLock> {
  const { context, repository } = target;
  const repositoryId = repository.id;
  const path = cleanLockPath(given);
  const owner = lockOwner(target);
  if (!owner) throw new LfsError(403, 'a lock belongs to a user');
  return await inTransaction(context, async ({ db }) => {
    const { count } = await db
      .selectFrom('lfs_locks')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('repository_id', '=', repositoryId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_LOCKS) throw new LfsError(422, `a repository has at most ${MAX_LOCKS} locks`);
    const row = await db
      .insertInto('lfs_locks')
      .values({ repository_id: repositoryId, owner_id: owner.id, path, lower_path: path.toLowerCase(), created_at: now() })
      .onConflict((conflict) => conflict.columns(['repository_id', 'lower_path']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return { ...row, owner: owner.name };
    const [other] = (await listLocks(db, repositoryId, { path, cursor: 0, limit: 1 })).locks;
    if (!other) throw new LfsError(503);
    throw new LockExistsError(other);
  });
}

/**
 * Removes a lock of the caller, or with `force` one of another user.
 * @throws LfsError 403, 404
 */
export async function deleteLock(target: LfsTarget, id: number, force: boolean): Promise<LfsLock> {
  const repositoryId = target.repository.id;
  return await inTransaction(target.context, async ({ db }) => {
    const [lock] = (await listLocks(db, repositoryId, { id, cursor: 0, limit: 1 })).locks;
    if (!lock) throw new LfsError(404, 'unable to delete lock : there is no such lock');
    if (!force && !isOwn(target, lock)) throw new LfsError(403, `unable to delete lock : it belongs to ${lock.owner}`);
    await db.deleteFrom('lfs_locks').where('id', '=', id).where('repository_id', '=', repositoryId).execute();
    return lock;
  });
}

/**
 * Normalizes a path: relative, without empty parts and dots.
 * @throws LfsError 422
 */
function cleanLockPath(given: string): string {
  const path = posix.normalize(`/${given}`).slice(1).replace(/\/$/, '');
  const isBad = path === '' || Buffer.byteLength(path) > MAX_PATH || /[\0-\x1f\x7f]/.test(path) || !path.isWellFormed();
  if (isBad) throw new LfsError(422, 'path: it names no file');
  return path;
}

function withOwner(db: Db) {
  return db
    .selectFrom('lfs_locks')
    .leftJoin('users', 'users.id', 'lfs_locks.owner_id')
    .selectAll('lfs_locks')
    .select('users.name as owner');
}

function named(row: LfsLockRow & { owner: string | null }): LfsLock {
  return { ...row, owner: row.owner ?? 'Ghost' };
}
