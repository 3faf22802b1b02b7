import { pathId } from '../../http/path-id.ts';
import { LfsError } from '../errors.ts';
import { createLock, deleteLock, isOwn, type LfsLock, LockExistsError, listLocks } from '../locks/locks.ts';
import type { LfsTarget } from '../target.ts';
import type { LfsOperation } from '../tokens.ts';
import type { Response } from './packets.ts';

type Arguments = ReadonlyMap<string, string>;

/** `lock`: locks a path. */
export async function lockFor(target: LfsTarget, args: Arguments): Promise<Response> {
  try {
    return { status: 201, args: argumentsOf(await createLock(target, args.get('path') ?? '')) };
  } catch (error) {
    if (!(error instanceof LockExistsError)) throw error;
    return { status: 409, args: argumentsOf(error.lock), lines: ['conflict'] };
  }
}

/** `unlock`: removes a lock by its id. */
export async function unlockFor(target: LfsTarget, id: string, args: Arguments): Promise<Response> {
  const lock = await deleteLock(target, pathId(id), args.get('force') === 'true');
  return { status: 200, args: argumentsOf(lock) };
}

/** `list-lock`: before an upload each lock has whether it is the caller's. */
export async function listLocksFor(target: LfsTarget, operation: LfsOperation, args: Arguments): Promise<Response> {
  const { context, repository } = target;
  const { locksPageSize } = context.settings.lfs;
  const [id, path] = [args.get('id'), args.get('path')];
  if (id && !/^\d{1,15}$/.test(id)) throw new LfsError(400, 'the id is not a number');
  const cursor = numberIn(args.get('cursor'));
  const limit = Math.min(numberIn(args.get('limit')) || locksPageSize, locksPageSize);
  const { locks, more } = await listLocks(context.db, repository.id, {
    cursor,
    limit,
    ...(id ? { id: Number(id) } : path ? { path } : {}),
  });
  return {
    status: 200,
    args: more ? [`next-cursor=${cursor + 1}`] : [],
    lines: locks.flatMap((lock) => [
      `lock ${lock.id}`,
      `path ${lock.id} ${lock.path}`,
      `locked-at ${lock.id} ${timeOf(lock)}`,
      `ownername ${lock.id} ${lock.owner}`,
      ...(operation === 'upload' ? [`owner ${lock.id} ${isOwn(target, lock) ? 'ours' : 'theirs'}`] : []),
    ]),
  };
}

function argumentsOf(lock: LfsLock): string[] {
  return [`id=${lock.id}`, `path=${lock.path}`, `locked-at=${timeOf(lock)}`, `ownername=${lock.owner}`];
}

function timeOf({ created_at }: LfsLock): string {
  return new Date(created_at * 1000).toISOString().replace('.000Z', 'Z');
}

function numberIn(text = ''): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
