import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { DeletedBranch } from '../../database/tables/code.ts';
import { readCommits } from '../../git/objects/commits.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';

const PREFIX = 'refs/heads/';
/** Maximum number of deleted branches that a repository remembers: the latest. */
const MAX_KEPT = 100;
const isNone = (id: string) => /^0+$/.test(id);

const keptOf = prepared((db, repositoryId: number) =>
  db
    .selectFrom('deleted_branches')
    .select(['id', 'name'])
    .where('repository_id', '=', repositoryId)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc'),
);

/**
 * Records the last commits of deleted branches, and removes those whose names are in use again. Called within the transaction that records
 * the updates, under the lock of the repository.
 * @param options.isRename a deleted branch has another name now
 */
export async function noteDeletedBranches(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { id, is_mirror }: Pick<Repository, 'id' | 'is_mirror'>,
  updates: readonly RefUpdate[],
  { isRename = false } = {},
): Promise<void> {
  // Nobody deletes or restores a branch of a mirror.
  if (is_mirror) return;
  const kept = await keptOf(db, id);
  const names = new Set(kept.map(({ name }) => name));
  const deleted: RefUpdate[] = [];
  const slice = new TimeSlice();
  for (const update of updates) {
    if (slice.isOver) await slice.next();
    if (!update.ref.startsWith(PREFIX)) continue;
    if (names.size > 0) names.delete(update.ref.slice(PREFIX.length));
    if (!isRename && isNone(update.newId)) deleted.push(update);
  }
  const gone = deleted.slice(-MAX_KEPT);
  const left = kept.filter(({ name }) => names.has(name)).slice(0, MAX_KEPT - gone.length);
  const leaving = kept.filter((row) => !left.includes(row)).map((row) => row.id);
  if (leaving.length > 0) await db.deleteFrom('deleted_branches').where('id', 'in', leaving).execute();
  if (gone.length === 0) return;
  const rows = gone.map(({ ref, oldId }) => ({
    repository_id: id,
    name: ref.slice(PREFIX.length),
    commit_id: oldId,
    deleted_by: actor && actor.id > 0 ? actor.id : null,
    deleted_at: now(),
  }));
  await db.insertInto('deleted_branches').values(rows).execute();
}

/** The deleted branches that can be restored, latest first: those whose commits still exist in git. */
export async function listDeletedBranches({ db, git }: Context, repository: Repository): Promise<DeletedBranch[]> {
  const rows = await db
    .selectFrom('deleted_branches')
    .selectAll()
    .where('repository_id', '=', repository.id)
    // Imported ones have been inserted in another order.
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const commits = await readCommits(
    git.locate(repository),
    git.pool,
    rows.map((row) => row.commit_id),
  );
  const present = new Set(commits.map(({ oid }) => oid));
  return rows.filter((row) => present.has(row.commit_id));
}

/** The deleted branch with this id; undefined if there is none in the repository. */
export async function findDeletedBranch({ db }: Context, repository: Repository, id: number): Promise<DeletedBranch | undefined> {
  return await db
    .selectFrom('deleted_branches')
    .selectAll()
    .where('id', '=', id)
    .where('repository_id', '=', repository.id)
    .executeTakeFirst();
}

/** Removes branches that were deleted longer ago than `jobs.deletedBranchLifetime`. */
export async function expireDeletedBranches({ db, settings }: Context): Promise<void> {
  const before = now() - Math.ceil(settings.jobs.deletedBranchLifetime / 1000);
  await db.deleteFrom('deleted_branches').where('deleted_at', '<=', before).execute();
}
