import type { Repository } from '../access/find-repository.ts';
import { moveRefs } from '../code/refs-moved.ts';
import type { Context } from '../context.ts';
import { isMirrored } from '../git/fetch-remote.ts';
import type { PackedRef } from '../git/ref-files.ts';
import { listRefs } from '../git/refs.ts';
import type { GitRepository } from '../git/repository.ts';
import { zeroObjectId } from '../git/repository.ts';
import { type RefUpdate, updateRefs } from '../git/update-refs.ts';

/** Refs that move at a time: what is announced and told of them has a bound. */
const BATCH = 500;

type Moves = readonly (RefUpdate & { readonly from: string | null })[];

/**
 * Makes the refs of a mirror those that another server has, and tells of it. What is interrupted is done by the next time.
 * @param prune whether refs go that the other server has not
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

/** {@link followRefs} for a wiki, whose refs nobody is told of. */
export async function followWikiRefs(
  context: Context,
  wiki: GitRepository,
  fetched: ReadonlyMap<string, PackedRef>,
  { prune }: { prune: boolean },
): Promise<void> {
  for (const moves of await movesTo(context, wiki, fetched, prune)) await updateRefs(wiki, moves);
}

/** Whether there is nothing to follow: the ids by name are those that the other server has. */
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

/** In batches; what goes comes first, as its name can be in the way of another. */
async function movesTo({ git }: Context, folder: GitRepository, fetched: ReadonlyMap<string, PackedRef>, prune: boolean): Promise<Moves[]> {
  const here = new Map((await listRefs(folder, git.pool)).filter(({ name }) => isMirrored(name)).map(({ name, oid }) => [name, oid]));
  const gone = prune ? [...here].filter(([name]) => !fetched.has(name)).map(([name, from]) => ({ name, from, to: null })) : [];
  const moved = [...fetched]
    .filter(([name, { oid }]) => here.get(name) !== oid)
    .map(([name, { oid }]) => ({ name, from: here.get(name) ?? null, to: oid }));
  return [...batched(gone), ...batched(moved)];
}

function batched<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) => items.slice(index * BATCH, (index + 1) * BATCH));
}
