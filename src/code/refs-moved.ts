import type { Repository } from '../access/find-repository.ts';
import { now } from '../clock.ts';
import { jsonInSlices } from '../concurrency/json-in-slices.ts';
import { afterCommit, type Context, inTransaction, type Services } from '../context.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { RepositoryRow, RepositoryUpdate } from '../database/tables/repositories.ts';
import { branchRef, isValidBranchName } from '../git/refs/ref-names.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import { storedRef } from '../git/refs/stored-refs.ts';
import { setHead } from '../git/refs/update-refs.ts';
import { whileWriting } from '../git/repository.ts';
import { noteRefMoves } from '../processes/cleanup-hold.ts';
import { endOrRelease } from '../processes/release.ts';
import { type BranchCount, branchesOf, CountedTooEarlyError, changesBranchCount, countBranches } from './branch-count.ts';
import { noteDeletedBranches } from './branches/deleted.ts';
import { runPostReceive, runUpdateHooks } from './git-hooks/run.ts';

const BRANCHES = 'refs/heads/';
const TAGS = 'refs/tags/';
/** Maintenance waits this many seconds, so that it runs once for a burst of pushes. */
const MAINTENANCE_DELAY = 2;

/** An announced ref update, which has to be completed or withdrawn. */
export interface AnnouncedMove {
  readonly id: number;
  readonly updates: readonly RefUpdate[];
}

const addMove = prepared(
  (db, ...[repository_id, actor_id, process_id, updates, push_options, created_at]: [number, number, number, string, string, number]) =>
    db.insertInto('ref_moves').values({ repository_id, actor_id, process_id, updates, push_options, created_at }).returning('id'),
);

const removeMove = prepared((db, id: number) => db.deleteFrom('ref_moves').where('id', '=', id));

/**
 * Records that refs are about to move: if the process dies between git and the database, the next start finds out
 * whether they did (recover-moves.ts). Ends with {@link refsMoved} or {@link withdrawMove}.
 */
export async function announceMove(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  pushOptions: Readonly<Record<string, string>> = {},
): Promise<AnnouncedMove> {
  const actorId = context.actor?.id ?? repository.owner_id;
  const texts = [await jsonInSlices(updates), JSON.stringify(pushOptions)] as const;
  const [row] = await addMove(context.database.db, repository.id, actorId, context.processes.id, ...texts, now());
  if (!row) throw new Error('a move of refs has no row');
  return { id: row.id, updates };
}

/**
 * {@link announceMove} for a move by the server itself: the custom hooks of the repository run first.
 * @throws HttpError 409 when they refuse
 */
export async function announceOwnMove(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<AnnouncedMove> {
  await runUpdateHooks(context, repository, updates);
  return await announceMove(context, repository, updates);
}

/** The refs have not moved after all. */
export async function withdrawMove(services: Services, move: AnnouncedMove): Promise<void> {
  await endOrRelease(services, releaseOf(move), () => removeMove(services.database.db, move.id));
}

/** Leaves an announced move to the recovery. */
export function releaseOf({ id }: Pick<AnnouncedMove, 'id'>): (db: Db) => Promise<unknown> {
  return (db) => db.updateTable('ref_moves').set({ process_id: null }).where('id', '=', id).execute();
}

/**
 * Records that refs have moved, however that came about: the repository's row, the event, the maintenance, in one
 * transaction. Every change of refs ends here.
 * @param updates those that moved; an id of zeros means none
 * @param move the announced move, which this completes
 * @param together further changes in the transaction, before the event
 */
export async function refsMoved(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  options: RefsMovedOptions = {},
): Promise<void> {
  const { move } = options;
  const apply = () => applyMove(context, repository, updates, options);
  return move && !context.afterCommit ? endOrRelease(context, releaseOf(move), apply) : apply();
}

interface RefsMovedOptions {
  pushOptions?: Readonly<Record<string, string>>;
  move?: AnnouncedMove;
  isRename?: boolean;
  together?: (context: Context) => Promise<void>;
}

/** How often branches are counted before the transaction; after that, a repository that moves all the time is counted within it. */
const MAX_COUNTS = 5;

/** {@link refsMoved} for the recovery, which retries by itself. */
export async function applyMove(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  options: RefsMovedOptions,
): Promise<void> {
  // Other refs (notes, pull requests) cause no event.
  const branchesAndTags = updates.filter(({ ref, oldId, newId }) => (ref.startsWith(BRANCHES) || ref.startsWith(TAGS)) && oldId !== newId);
  // Within a larger transaction it is too late to prepare anything.
  if (!context.afterCommit) await context.provided.prepareMovedTags(context, repository, branchesAndTags);
  const record = () => recordMove(context, repository, updates, branchesAndTags, options);
  // The first push may write HEAD: within the transaction it is too late to wait for a repository that is being moved.
  await (context.afterCommit ? record() : whileWriting(context.git.locate(repository), record));
  // For a push by git, the hooks have run already.
  if (options.move && options.pushOptions === undefined)
    afterCommit(context, () => void runPostReceive(context, repository, branchesAndTags));
  // Within a larger transaction nothing has been committed yet: then the event is early enough.
  if (branchesAndTags.length > 0 && !context.afterCommit) await follow(context, repository, branchesAndTags);
}

async function recordMove(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  branchesAndTags: readonly RefUpdate[],
  options: RefsMovedOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const isCounted = !context.afterCommit && attempt <= MAX_COUNTS && changesBranchCount(branchesAndTags);
    const count = isCounted ? await countBranches(context, repository) : undefined;
    try {
      return await inTransaction(context, (context) => record(context, repository, updates, branchesAndTags, options, count));
    } catch (error) {
      if (!(error instanceof CountedTooEarlyError)) throw error;
    }
  }
}

const countMove = prepared((db, id: number, updatedAt: number | null) =>
  db
    .updateTable('repositories')
    .set((row) => ({ updated_at: row.fn.coalesce(row.val(updatedAt), 'updated_at'), refs_version: row('refs_version', '+', 1) }))
    .where('id', '=', id)
    .returning(['is_empty', 'default_branch', 'refs_version']),
);

/** @throws CountedTooEarlyError when another move was recorded since `count` */
async function record(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  branchesAndTags: readonly RefUpdate[],
  options: RefsMovedOptions,
  count: BranchCount | undefined,
): Promise<void> {
  const { db, events, jobs, actor } = context;
  await noteRefMoves(db, repository.id, updates);
  if (options.move) await removeMove(db, options.move.id);
  await options.together?.(context);
  if (branchesAndTags.length > 0) {
    // As clients expect, a renamed branch, and tags that change other than by a push, do not update the repository's time.
    const isUpdate =
      options.pushOptions !== undefined || (!options.isRename && branchesAndTags.some(({ ref }) => ref.startsWith(BRANCHES)));
    const [row] = await countMove(db, repository.id, isUpdate ? now() : null);
    if (!row) throw new Error(`repository ${repository.id} is gone`);
    const columns = await columnsAfter(context, repository, row, branchesAndTags, count);
    if (Object.keys(columns).length > 0) await db.updateTable('repositories').set(columns).where('id', '=', repository.id).execute();
    if (changesBranchCount(branchesAndTags)) await noteDeletedBranches(context, repository, branchesAndTags, options);
    const { pushOptions = {} } = options;
    await events.emit(context, 'refs.changed', {
      repositoryId: repository.id,
      actorId: actor?.id ?? repository.owner_id,
      updates: [...branchesAndTags],
      ...(Object.keys(pushOptions).length > 0 ? { pushOptions } : {}),
      ...(options.isRename ? { isRename: true } : {}),
      ...(repository.is_mirror ? { isMirror: true } : {}),
    });
  }
  if (updates.length > 0) {
    const work = { repositoryId: repository.id };
    await jobs.add(context, 'repository.maintain', work, { key: String(repository.id), delay: MAINTENANCE_DELAY });
  }
}

async function follow(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  try {
    await context.provided.followMovedRefs(context, repository, updates);
  } catch (error) {
    context.log.error({ repository: repository.id, err: error }, 'what follows a move of refs is left to its event');
  }
}

/**
 * Moves refs by `change` and emits the event; when `change` throws, nothing has moved.
 * @param updates what `change` will move, as far as it is known before
 * @param options as for {@link refsMoved}; `asksItself`: `change` runs the custom hooks of the repository, since the objects do not exist
 * before
 */
export async function moveRefs<T>(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  change: () => Promise<T>,
  options: { isRename?: boolean; together?: (context: Context) => Promise<void>; asksItself?: boolean } = {},
): Promise<T> {
  const { asksItself, ...rest } = options;
  const move = await (asksItself ? announceMove : announceOwnMove)(context, repository, updates);
  let result: T;
  try {
    result = await change();
  } catch (error) {
    await withdrawMove(context, move);
    throw error;
  }
  await refsMoved(context, repository, updates, { ...rest, move });
  return result;
}

/**
 * @param row read under the lock that the caller's update holds: no other move is recorded meanwhile
 * @throws CountedTooEarlyError as {@link record}
 */
async function columnsAfter(
  context: Context,
  repository: Repository,
  row: Pick<RepositoryRow, 'is_empty' | 'default_branch' | 'refs_version'>,
  updates: readonly RefUpdate[],
  count: BranchCount | undefined,
): Promise<RepositoryUpdate> {
  const columns: RepositoryUpdate = {};
  if (count && count.refsVersion !== row.refs_version - 1) throw new CountedTooEarlyError();
  if (changesBranchCount(updates)) columns.branches_count = count?.branches ?? (await branchesOf(context, repository));
  const made = updates
    .filter(({ ref, newId }) => ref.startsWith(BRANCHES) && !/^0+$/.test(newId))
    .map(({ ref }) => ref.slice(BRANCHES.length));
  if (!row.is_empty || made.length === 0) return columns;
  columns.is_empty = false;
  // Once in the life of a repository, under the lock, so that HEAD and the column agree: two small files, one of which is written.
  const folder = context.git.locate(repository);
  if (storedRef(folder, branchRef(row.default_branch)) !== undefined) return columns;
  const chosen = ['main', 'master'].find((name) => made.includes(name)) ?? made.find(isValidBranchName);
  if (chosen === undefined) return columns;
  await setHead(folder, branchRef(chosen));
  return { ...columns, default_branch: chosen };
}
