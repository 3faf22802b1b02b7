import type { Repository } from '../../access/find-repository.ts';
import { type RepositoryAccess, repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { deleteBranch } from '../../code/branches/change.ts';
import { restoreBranch } from '../../code/branches/restore.ts';
import { branchRule } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { conflict, forbidden } from '../../http/errors.ts';
import { changingIssue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import type { Pull } from '../find.ts';
import { takeOver } from '../heads/take-over.ts';
import { openFromBranch } from '../open.ts';
import { headRepository } from '../update/change-head.ts';

/** The possible actions on the branch of a closed pull request. */
export type HeadBranchAction = 'delete' | 'restore';

/** The action that the caller may run on the branch of a pull request; undefined while it is open, or the branch is needed. */
export async function headBranchAction(context: Context, pull: Pull): Promise<HeadBranchAction | undefined> {
  return (await findAction(context, pull))?.action;
}

/**
 * Deletes the branch of a closed or merged pull request, or restores a deleted one.
 * @throws HttpError 403 without the right, and for protected branches; 409 when the branch is needed, or not deleted
 */
export async function changeHeadBranch(context: Context, pull: Pull, requested: HeadBranchAction): Promise<void> {
  signedInActor(context);
  const found = await findAction(context, pull);
  if (!found) throw forbidden('you may not delete or restore this branch, or it is needed');
  const { action, head, access } = found;
  if (action !== requested) throw conflict(action === 'delete' ? 'the branch is there' : 'the branch is gone');
  if (action === 'restore') {
    await takeOver(context, pull.issue.repository, head, { want: pull.head_id, have: pull.merge_base });
    await restoreBranch(context, head, access, { name: pull.head_branch, commit_id: pull.head_id });
    return;
  }
  await deleteBranch(context, head, access, pull.head_branch);
  await recordDeletion(context, pull);
}

/** Records in the timeline that the branch of the head was deleted. */
export async function recordDeletion(context: Context, pull: Pull): Promise<void> {
  await changingIssue(context, pull.issue, async (context, issue) => {
    await addEvent(context, issue, 'delete_branch', { old_ref: pull.head_branch });
  });
}

/** Whether the branch of the head has later commits, or another open pull request. */
export async function isHeadNeeded(context: Context, repository: Repository, pull: Pull): Promise<boolean> {
  if (storedRef(context.git.locate(repository), branchRef(pull.head_branch)) !== pull.head_id) return true;
  const other = await openFromBranch(context, repository, pull.head_branch).select('pull_requests.id').limit(1).executeTakeFirst();
  return other !== undefined;
}

interface FoundAction {
  readonly action: HeadBranchAction;
  readonly head: Repository;
  readonly access: RepositoryAccess;
}

async function findAction(context: Context, pull: Pull): Promise<FoundAction | undefined> {
  const { actor, git } = context;
  if (!actor || !pull.issue.is_closed || pull.flow !== 'branch') return undefined;
  const head = await headRepository(context, pull);
  if (!head || head.is_archived || head.is_mirror || head.is_empty) return undefined;
  const access = await repositoryAccess(context, head, actor);
  if (!access.canWrite('code')) return undefined;
  const { head_branch: branch } = pull;
  if (storedRef(git.locate(head), branchRef(branch)) === undefined) {
    const isKept = await readCommit(git.locate(pull.issue.repository), git.pool, pull.head_id);
    return isKept ? { action: 'restore', head, access } : undefined;
  }
  const isKept = branch === head.default_branch || branch === head.units.pulls?.defaultTargetBranch;
  if (isKept || (await branchRule(context, head, branch)) || (await isHeadNeeded(context, head, pull))) return undefined;
  return { action: 'delete', head, access };
}
