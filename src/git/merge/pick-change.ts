import { type CommitTreeOptions, commitTree, type TreeCommit } from '../edit/commit-tree.ts';
import { directObjects, type ObjectSource, treeOfCommit } from '../objects/object-source.ts';
import { emptyTreeId, type GitRepository } from '../repository.ts';
import { MergeConflictError } from './merge.ts';
import { mergeTreesFrom } from './merge-trees.ts';

/** A change that is to be brought to a branch: what lies between two commits. Null stands for a commit without files. */
export interface PickChangeOptions extends CommitTreeOptions {
  from: string | null;
  to: string | null;
  /** The commit that a conflict names. */
  picked?: string;
  objects?: ObjectSource;
}

/** The branch already has the change. */
export class NothingToPickError extends Error {
  override readonly name = 'NothingToPickError';
}

/**
 * Adds one commit with the difference of two commits to a branch, as `git cherry-pick` does with a commit and its parent, and `git revert`
 * the other way round.
 * @throws MergeConflictError, NothingToPickError, and the errors of commitTree; then nothing has changed
 */
export async function pickChange(repository: GitRepository, options: PickChangeOptions): Promise<TreeCommit> {
  const { objects = directObjects, from, to } = options;
  return await commitTree(repository, options, async (quarantine, parent) => {
    const ours = await treeOfCommit(objects, repository, parent);
    const theirs = to === null ? emptyTreeId(repository.objectFormat) : await treeOfCommit(objects, repository, to);
    const merged = await mergeTreesFrom(repository, quarantine, from, ours, theirs);
    if (!merged.clean) throw new MergeConflictError(merged, options.picked);
    if (merged.tree === ours) throw new NothingToPickError('the branch has these changes already');
    return merged.tree;
  });
}
