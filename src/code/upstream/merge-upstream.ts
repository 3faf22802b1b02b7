import { findRepository, type Repository } from '../../access/find-repository.ts';
import { type RepositoryAccess, repositoryAccess } from '../../access/repository-access.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { type BranchTip, onBranchTip } from '../../git/edit/branch-tip.ts';
import { BranchNotFoundError } from '../../git/edit/change-errors.ts';
import { MergeConflictError, mergeCommitWithin } from '../../git/merge/merge.ts';
import { UnrelatedHistoriesError } from '../../git/merge/merge-trees.ts';
import { copyCommits } from '../../git/objects/copy-objects.ts';
import { inQuarantine } from '../../git/objects/quarantine.ts';
import { branchRef, isValidBranchName } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import { type GitRepository, joinRepositories } from '../../git/repository.ts';
import { badRequest, conflict, forbidden, notFoundBecause } from '../../http/errors.ts';
import { announceCopy } from '../announce-copy.ts';
import { decidePush, pusherOf } from '../protections/decide.ts';
import { isRewritten } from '../protections/pushed.ts';
import { withRefErrors } from '../ref-errors.ts';
import { moveRefs } from '../refs-moved.ts';
import { signingFor } from '../signing/signing-for.ts';

/** The result for a fork's branch. */
export type UpstreamMerge = 'up-to-date' | 'fast-forward' | 'merge';

/**
 * Updates a branch of a fork from the branch of the same name in its source, or from the source's default branch
 * if there is none.
 * @throws HttpError 400 for a repository that is not a fork, and for diverged branches with `ffOnly`; 403 when the source's code cannot be
 * read, and by protections; 404 for missing branches; 409 for conflicts
 */
export async function mergeUpstream(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { branch, ffOnly }: { branch: string; ffOnly: boolean },
): Promise<UpstreamMerge> {
  const source = await readableSource(context, repository);
  const from = context.git.locate(source);
  const folder = context.git.locate(repository);
  const change = async ({ parent: head, ref }: BranchTip): Promise<UpstreamMerge> => {
    if (head === null) throw noBranch(repository, branch);
    const upstream = storedRef(from, branchRef(branch)) ?? storedRef(from, branchRef(source.default_branch));
    if (upstream === undefined) throw noBranch(source, source.default_branch);
    const joined = joinRepositories(folder, from);
    if (!(await isRewritten(joined, upstream, head))) return 'up-to-date';
    const forwards = !(await isRewritten(joined, head, upstream));
    if (!forwards && ffOnly) throw badRequest('fast-forward merge not possible: branch has diverged');
    const to = await takeOver(context, repository, access, { from, ref, head, upstream, forwards });
    await announceCopy(context, { repository, sourceId: source.id, head: upstream, without: head });
    await moveRefs(context, repository, [{ ref, oldId: head, newId: to }], () => updateRef(folder, { name: ref, to, from: head }));
    return forwards ? 'fast-forward' : 'merge';
  };
  if (!isValidBranchName(branch)) throw noBranch(repository, branch);
  try {
    return await withRefErrors(() => onBranchTip(folder, { branch }, change));
  } catch (error) {
    if (error instanceof BranchNotFoundError) throw noBranch(repository, branch);
    if (error instanceof MergeConflictError) throw conflict(`the branches cannot be merged: ${error.message}`);
    if (error instanceof UnrelatedHistoriesError) throw conflict('the branches have no commit in common');
    throw error;
  }
}

/**
 * The source of a fork. A caller who may no longer read the source gets nothing new from it.
 * @throws HttpError 400, 403
 */
async function readableSource(context: Context, { fork_id: sourceId }: Repository): Promise<Repository> {
  const source = sourceId === null ? undefined : await findRepository(context.db, sourceId);
  if (!source) throw badRequest('repo is not a fork');
  const access = await repositoryAccess(context, source, context.actor);
  if (!access.canRead('code')) throw forbidden(`permission denied to read base repo ${source.id}`);
  return source;
}

/**
 * Copies the new commit of the branch into the fork, if protections allow the move. A refused one leaves nothing behind.
 */
async function takeOver(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { from, ref, head, upstream, forwards }: { from: GitRepository; ref: string; head: string; upstream: string; forwards: boolean },
): Promise<string> {
  const folder = context.git.locate(repository);
  const actor = signedInActor(context);
  return await inQuarantine(folder, async (quarantine) => {
    await copyCommits(from, folder, quarantine, { want: upstream, have: head }, context.settings.git.timeout);
    const person = gitSignature(context, actor);
    const within = { ...folder, quarantine: quarantine.env };
    const approvals = async () => 0;
    const committing = await signingFor(context, repository, { kind: 'merge', base: head, head: upstream, approvals }, person, within);
    const merge = { into: head, from: upstream, author: person, ...committing, message: 'merge upstream\n' };
    const to = forwards ? upstream : await mergeCommitWithin(folder, quarantine, merge);
    const pusher = await pusherOf(context, repository, actor, access);
    const move = { ref, before: head, after: to };
    const refusal = await decidePush(context, repository, within, pusher, [move]);
    if (refusal) throw forbidden(refusal.message);
    return to;
  });
}

function noBranch({ id }: Repository, branch: string) {
  return notFoundBecause(`branch does not exist [repo_id: ${id} name: ${branch}]`);
}
