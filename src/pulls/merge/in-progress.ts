import { findUserById } from '../../access/find-user.ts';
import { now } from '../../clock.ts';
import { type Context, internalContext, type Services } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { MergeStyle, PullMergeRow } from '../../database/tables/pulls.ts';
import { isAncestor } from '../../git/history/log.ts';
import { GitError } from '../../git/processes/process.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { StaleRefError } from '../../git/refs/update-refs.ts';
import { conflict } from '../../http/errors.ts';
import { changingIssue } from '../../issues/find.ts';
import { endOrRelease, RECOVERY_PAUSE_MS, releaseLater } from '../../processes/release.ts';
import { findPullById, headRef, type Pull } from '../find.ts';
import { finishMerge } from './finish.ts';

/** A merge that is about to happen. */
export interface PlannedMerge {
  readonly style: MergeStyle;
  readonly commit: string;
  readonly isAutomatic: boolean;
}

/**
 * Records that a pull request is about to be merged: no second merge can begin, and if the process dies between git and the database, the
 * recovery finds out whether the branch has moved. Ends with {@link finishMerge} or {@link withdrawMerge}.
 * @param check requirements that are checked again in the transaction
 * @throws HttpError 409 when it is being merged; StaleRefError when it has changed since it was read, for the caller to check it again
 */
export async function announceMerge(
  context: Context,
  pull: Pull,
  { style, commit, isAutomatic }: PlannedMerge,
  check: (context: Context) => Promise<void>,
): Promise<PullMergeRow> {
  await settleAbandoned(context, pull);
  return changingIssue(context, pull.issue, async (context, issue) => {
    const current = await context.db.selectFrom('pull_requests').selectAll().where('id', '=', pull.id).executeTakeFirst();
    const isSame = current?.head_id === pull.head_id && current.base_branch === pull.base_branch && current.merged_commit_id === '';
    if (!isSame || issue.is_closed) throw new StaleRefError(headRef(pull), pull.head_id, current?.head_id ?? null);
    await check(context);
    const row = await context.db
      .insertInto('pull_merges')
      .values({
        pull_id: pull.id,
        actor_id: context.actor?.id ?? issue.repository.owner_id,
        style,
        base_branch: pull.base_branch,
        head_id: pull.head_id,
        commit_id: commit,
        is_automatic: isAutomatic,
        process_id: context.processes.id,
        created_at: now(),
      })
      .onConflict((clash) => clash.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw conflict('the pull request is being merged');
    return row;
  });
}

/** The branch has not moved after all. */
export async function withdrawMerge(services: Services, merge: Pick<PullMergeRow, 'pull_id'>): Promise<void> {
  await endOrRelease(services, releaseOfMerge(merge), () =>
    services.database.db.deleteFrom('pull_merges').where('pull_id', '=', merge.pull_id).execute(),
  );
}

/** Leaves a merge to the recovery. */
export function releaseOfMerge({ pull_id: id }: Pick<PullMergeRow, 'pull_id'>): (db: Db) => Promise<unknown> {
  return (db) => db.updateTable('pull_merges').set({ process_id: null }).where('pull_id', '=', id).execute();
}

/** Completes or withdraws the merges of dead processes. Called when the ref updates are known. */
export async function recoverMerges(services: Services): Promise<void> {
  const rows = await services.database.db.selectFrom('pull_merges').selectAll().where('process_id', 'is', null).execute();
  for (const row of rows) await settle(internalContext(services), row);
}

async function settleAbandoned(context: Context, { id }: Pull): Promise<void> {
  const row = await context.db
    .selectFrom('pull_merges')
    .selectAll()
    .where('pull_id', '=', id)
    .where('process_id', 'is', null)
    .executeTakeFirst();
  if (row) await settle(context, row);
}

async function settle(context: Context, row: PullMergeRow): Promise<void> {
  const claimed = await context.database.db
    .updateTable('pull_merges')
    .set({ process_id: context.processes.id })
    .where('pull_id', '=', row.pull_id)
    .where('process_id', 'is', null)
    .returning('pull_id')
    .executeTakeFirst();
  if (!claimed) return;
  try {
    await finishAsBranchSays(context, row);
  } catch (error) {
    context.log.error({ pull: row.pull_id, err: error }, 'an interrupted merge could not be finished');
    void releaseLater(context, releaseOfMerge(row), RECOVERY_PAUSE_MS);
  }
}

/** Completes the merge if the branch has its commit. */
async function finishAsBranchSays(context: Context, row: PullMergeRow): Promise<void> {
  const { db } = context.database;
  const pull = await findPullById(db, row.pull_id);
  const actor = await findUserById(db, row.actor_id);
  const isMerged = pull !== undefined && (await has(context, pull, row));
  if (pull && isMerged) await finishMerge({ ...context, actor: actor ?? null }, pull, row);
  else await db.deleteFrom('pull_merges').where('pull_id', '=', row.pull_id).execute();
  context.log.warn({ pull: row.pull_id, isMerged }, 'finished an interrupted merge');
}

async function has({ git }: Context, { issue }: Pull, { base_branch: branch, commit_id: commit }: PullMergeRow): Promise<boolean> {
  const folder = git.locate(issue.repository);
  const tip = storedRef(folder, branchRef(branch));
  if (tip === undefined) return false;
  try {
    return await isAncestor(folder, git.pool, commit, tip);
  } catch (error) {
    // A commit that was never written.
    if (error instanceof GitError) return false;
    throw error;
  }
}
