import { findRepository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { deleteBranch } from '../../code/branches/change.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { findPullById, type Pull } from '../find.ts';
import { isHeadNeeded, recordDeletion } from './head-branch.ts';

/** Whether the merge deletes the branch of the head: as requested, else as the repository's settings say. */
export function deletesBranch({ flow, issue }: Pull, requested: boolean | undefined): boolean {
  // A push to `refs/for/` has no branch.
  return flow === 'branch' && (requested ?? issue.repository.units.pulls?.defaultDeleteBranchAfterMerge ?? false);
}

/**
 * Deletes the branch of a merged pull request, unless it is needed: by an open pull request, for later commits, or because of a
 * protection. The pull request is merged, so this is not an error.
 */
export async function deleteMergedBranch(context: Context, { id }: Pick<Pull, 'id'>): Promise<void> {
  const pull = await findPullById(context.db, id);
  if (!pull || pull.head_repository_id === null || pull.merged_commit_id === '') return;
  const repository = await findRepository(context.db, pull.head_repository_id);
  if (!repository || repository.is_archived || (await isHeadNeeded(context, repository, pull))) return;
  const access = await repositoryAccess(context, repository, signedInActor(context));
  if (!access.canWrite('code')) return;
  try {
    await deleteBranch(context, repository, access, pull.head_branch);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    context.log.debug({ pull: pull.id, reason: error.message }, 'the branch of a merged pull request stays');
    return;
  }
  await recordDeletion(context, pull);
}
