import type { Context } from '../../context.ts';
import { MergeConflictError, mergeCommitWithin } from '../../git/merge/merge.ts';
import { UnrelatedHistoriesError } from '../../git/merge/merge-trees.ts';
import { rebaseCommitsWithin, TooManyCommitsError } from '../../git/merge/pick.ts';
import { conflict, unprocessable } from '../../http/errors.ts';
import type { Pull } from '../find.ts';
import { changeHead } from './change-head.ts';

/** How the base is brought into the head. */
export type UpdateStyle = 'merge' | 'rebase';

/**
 * Updates the head of a pull request with the commits of the base, in the caller's name: by a merge, or by rebasing the head's commits onto
 * the base.
 * @throws HttpError as {@link changeHead}; 409 for conflicts
 */
export async function updatePull(context: Context, pull: Pull, style: UpdateStyle): Promise<void> {
  try {
    await changeHead(context, pull, { rewrites: style === 'rebase' }, async ({ folder, quarantine, base, tip, ...commit }) => {
      if (style === 'merge')
        return mergeCommitWithin(folder, quarantine, { into: tip, from: base, ...commit, message: updateMessage(pull) });
      return (await rebaseCommitsWithin(folder, quarantine, tip, { onto: base, ...commit, objects: context.git.pool })).head;
    });
  } catch (error) {
    if (error instanceof MergeConflictError || error instanceof UnrelatedHistoriesError)
      throw conflict(`${style} failed because of conflict`);
    if (error instanceof TooManyCommitsError) throw unprocessable(`the pull request has ${error.message}`);
    throw error;
  }
}

/** The message of the commit that merges the base into the head. */
export function updateMessage(pull: Pick<Pull, 'base_branch' | 'head_branch'>): string {
  return `Merge branch '${pull.base_branch}' into ${pull.head_branch}\n`;
}
