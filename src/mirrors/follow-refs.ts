import type { Repository } from '../access/find-repository.ts';
import { moveRefs } from '../code/refs-moved.ts';
import type { Context } from '../context.ts';
import type { PackedRef } from '../git/refs/packed-refs.ts';
import { listRefs } from '../git/refs/refs.ts';
import { type RefUpdate, updateRefs } from '../git/refs/update-refs.ts';
import { isMirrored } from '../git/remotes/fetch-remote.ts';
import type { GitRepository } from '../git/repository.ts';
import { zeroObjectId } from '../git/repository.ts';

/** Refs that move at a time, to limit the size of announcements and events. */
const BATCH = 500;

type Moves = readonly (RefUpdate & { readonly from: string | null })[];

/**
 * Makes the refs of a mirror equal to those of another server, and emits the events. The next update finishes what is interrupted.
 * @param prune whether refs are deleted that the other server does not have
 * @throws RefConflictError, RefLockedError, StaleRefError
 */
export async function followRefs(
  context: Context,
  repository: Repository,
  fetched: ReadonlyMap<string, PackedRef>,
  { prune, signal }: { prune: boolean; signal: AbortSignal },
): Promise<void> {
  const folder = context.git.locate(repository);
  const none = zeroObjectId(repository.object_format);
  for (const moves of await movesTo(context, folder, fetched, prune)) {
    signal.throwIfAborted();
    const updates = moves.map(({ name, from, to }) => ({ ref: name, oldId: from ?? none, newId: to ?? none }));
    await moveRefs(context, repository, updates, () => updateRefs(folder, moves), { asksItself: true });
  }
}

/** {@link followRefs} for a wiki, without events. */
export async function followWikiRefs(
  context: Context,
  wiki: GitRepository,
  fetched: ReadonlyMap<string, PackedRef>,
  { prune }: { prune: boolean },
): Promise<void> {
  for (const moves of await movesTo(context, wiki, fetched, prune)) await updateRefs(wiki, moves);
}

/**
 * Whether no ref has to move.
 * @param there the object ids of the other server by the names of its refs
 */
export async function isUpToDate(
  context: Context,
  folder: GitRepository,
  there: ReadonlyMap<string, string>,
  { prune }: { prune: boolean },
): Promise<boolean> {
  const wanted = new Map([...there].filter(([name]) => isMirrored(name)));
  const here = (await listRefs(folder, context.git.pool)).filter(({ name }) => isMirrored(name));
  const same = here.filter(({ name, oid }) => wanted.get(name) === oid).length;
  return same === wanted.size && (!prune || here.length === same);
}

/** The moves in batches. Deletions are first, because the name of a deleted ref can be a prefix of a new one. */
async function movesTo({ git }: Context, folder: GitRepository, fetched: ReadonlyMap<string, PackedRef>, prune: boolean): Promise<Moves[]> {
  const here = new Map((await listRefs(folder, git.pool)).filter(({ name }) => isMirrored(name)).map(({ name, oid }) => [name, oid]));
  const deleted = prune ? [...here].filter(([name]) => !fetched.has(name)).map(([name, from]) => ({ name, from, to: null })) : [];
  const moved = [...fetched]
    .filter(([name, { oid }]) => here.get(name) !== oid)
    .map(([name, { oid }]) => ({ name, from: here.get(name) ?? null, to: oid }));
  return [...batched(deleted), ...batched(moved)];
}

function batched<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) => items.slice(index * BATCH, (index + 1) * BATCH));
}
