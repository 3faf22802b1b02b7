import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { DeletedBranch } from '../../database/tables/code.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { conflict, notFoundBecause } from '../../http/errors.ts';
import { createBranch } from './change.ts';
import { findDeletedBranch } from './deleted.ts';

/**
 * Creates a deleted branch again at its last commit.
 * @throws HttpError 403 mirrors and protections, 409 when the name is taken or the commit is missing
 */
export async function restoreBranch(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { name, commit_id: commit }: Pick<DeletedBranch, 'name' | 'commit_id'>,
): Promise<void> {
  const isKept = await readCommit(context.git.locate(repository), context.git.pool, commit);
  if (!isKept) throw conflict(`The commit of the branch ${name} is gone.`);
  await createBranch(context, repository, access, { new_branch_name: name, old_ref_name: commit });
}

/**
 * {@link restoreBranch} for a recorded deleted branch, by its id.
 * @throws HttpError the same, and 404
 */
export async function restoreDeletedBranch(context: Context, repository: Repository, access: RepositoryAccess, id: number): Promise<void> {
  const branch = await findDeletedBranch(context, repository, id);
  if (!branch) throw notFoundBecause('The deleted branch can no longer be restored.');
  await restoreBranch(context, repository, access, branch);
}
