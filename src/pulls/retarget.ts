import type { Context } from '../context.ts';
import { isAncestor, listCommits } from '../git/history/log.ts';
import { conflict, unprocessable } from '../http/errors.ts';
import { issueEvent } from '../issues/event.ts';
import type { Issue } from '../issues/find.ts';
import { addEvent } from '../issues/timeline/events.ts';
import { refuseSecond } from './create.ts';
import type { Pull } from './find.ts';
import { addPushEvent, MAX_NAMED_COMMITS } from './heads/push-events.ts';
import { mergeabilityColumns } from './mergeability/check.ts';
import { findMergeability } from './mergeability/mergeability.ts';

/** A change of the base branch, with everything that has to be read from git. */
export interface Retarget {
  readonly branch: string;
  /** The head that it was computed for. */
  readonly head: string;
  readonly columns: ReturnType<typeof mergeabilityColumns>;
  /** Oldest first. */
  readonly commits: readonly string[];
}

/**
 * Computes a change of a pull request to another base branch of its repository. Called before the transaction of {@link retarget}.
 * @param tip the commit of that branch
 * @throws HttpError 422 when the branch has gone on from the head, 409 when these two branches have a pull request already
 */
export async function prepareRetarget(context: Context, pull: Pull, branch: string, tip: string): Promise<Retarget> {
  const { git } = context;
  const { repository } = pull.issue;
  // Like in the reference, a branch at the head itself is fine: the pull request is empty then.
  if (tip !== pull.head_id && (await isAncestor(git.locate(repository), git.pool, pull.head_id, tip))) {
    throw unprocessable(`branches are equal [head: ${pull.head_branch}, base: ${branch}]`);
  }
  await refuseTaken(context, pull, branch);
  const sides = { base: tip, head: pull.head_id };
  const found = await findMergeability(context, repository, branch, sides);
  const history = { head: pull.head_id, exclude: [tip] };
  const commits = await listCommits(git.locate(repository), git.pool, history, { limit: MAX_NAMED_COMMITS });
  return { branch, head: pull.head_id, columns: mergeabilityColumns(sides, found), commits: commits.reverse() };
}

/**
 * Changes the base branch of an open pull request: its timeline records that, and its commits again. The caller holds the lock of the
 * issues.
 * @throws HttpError 409 when its head has moved meanwhile or it is being merged, or these two branches have a pull request already
 */
export async function retarget(context: Context, pull: Pull, issue: Issue, { branch, head, columns, commits }: Retarget): Promise<void> {
  const { db, events } = context;
  await refuseTaken(context, pull, branch);
  const merging = await db.selectFrom('pull_merges').select('pull_id').where('pull_id', '=', pull.id).executeTakeFirst();
  if (merging) throw conflict('the pull request is being merged');
  const { numUpdatedRows } = await db
    .updateTable('pull_requests')
    .set({ ...columns, base_branch: branch })
    .where('id', '=', pull.id)
    .where('head_id', '=', head)
    .where('merged_commit_id', '=', '')
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) throw conflict('the pull request has been changed in the meantime');
  await addEvent(context, issue, 'change_target_branch', { old_ref: pull.base_branch, new_ref: branch });
  await db.deleteFrom('comments').where('issue_id', '=', issue.id).where('kind', '=', 'pull_push').execute();
  if (commits.length > 0) await addPushEvent(context, issue, { is_force_push: false, commit_ids: [...commits] });
  await events.emit(context, 'pull.retargeted', { ...issueEvent(context, issue), oldBase: pull.base_branch });
}

async function refuseTaken(context: Context, { issue, head_repository_id: id, head_branch, flow }: Pull, branch: string): Promise<void> {
  if (id === null) return;
  const base = { repository: issue.repository, branch };
  await refuseSecond(context, { base, head: { repository: { id }, branch: head_branch }, flow, authorId: issue.author_id });
}
