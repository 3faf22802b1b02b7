import type { AppliedPatch, ApplyPatchOptions } from './apply-patch.ts';
import { onBranchTip } from './branch-tip.ts';
import { BranchNotFoundError, CommitMismatchError } from './change-errors.ts';
import { commitChange } from './change-files.ts';
import { fsckCommits } from './fsck-files.ts';
import { MergeConflictError } from './merge.ts';
import { mergeTreesFrom } from './merge-trees.ts';
import { directObjects, type ObjectSource, treeOfCommit } from './object-source.ts';
import { runGit } from './process.ts';
import { inQuarantine, type Quarantine } from './quarantine.ts';
import { emptyTreeId, type GitRepository } from './repository.ts';
import { updateRef } from './update-refs.ts';

/** A change that is to be brought to a branch: what lies between two commits. Null stands for a commit without files. */
export interface PickChangeOptions extends Omit<ApplyPatchOptions, 'patch'> {
  from: string | null;
  to: string | null;
  /** The commit that a conflict names. */
  picked?: string;
  objects?: ObjectSource;
}

/** The branch has all that the change would bring. */
export class NothingToPickError extends Error {
  override readonly name = 'NothingToPickError';
}

/**
 * Makes one commit on a branch of what lies between two commits, as `git cherry-pick` does with a commit and its parent, and `git revert`
 * the other way round.
 * @throws MergeConflictError, NothingToPickError, HarmfulFileError, BranchNotFoundError, BranchExistsError, CommitMismatchError, and those
 * of update-refs.ts; then nothing is left
 */
export async function pickChange(repository: GitRepository, options: PickChangeOptions): Promise<AppliedPatch> {
  return await onBranchTip(repository, options, async ({ parent, ref, before }) => {
    if (parent === null) throw new BranchNotFoundError(options.branch);
    if (options.lastCommit && options.lastCommit !== parent) throw new CommitMismatchError(options.lastCommit);
    const made = await inQuarantine(repository, (quarantine) => commitPick(repository, quarantine, options, { parent, ref, before }));
    const picked = { ...made, parent, ref, before };
    await updateRef(repository, { name: ref, to: made.commit, from: before }, async () => options.moving?.(picked));
    return picked;
  });
}

async function commitPick(
  repository: GitRepository,
  quarantine: Quarantine,
  options: PickChangeOptions,
  { parent, ref, before }: Omit<AppliedPatch, 'commit' | 'tree'>,
): Promise<{ commit: string; tree: string }> {
  const { objects = directObjects, from, to } = options;
  const ours = await treeOfCommit(objects, repository, parent);
  const theirs = to === null ? emptyTreeId(repository.objectFormat) : await treeOfCommit(objects, repository, to);
  const merged = await mergeTreesFrom(repository, quarantine, from, ours, theirs);
  if (!merged.clean) throw new MergeConflictError(merged, options.picked);
  const { tree } = merged;
  if (tree === ours) throw new NothingToPickError('the branch has these changes already');
  const commit = await commitChange(repository, options, { tree, parent });
  if (options.check) {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', parent, tree];
    const { stdout } = await runGit(args, { cwd: repository.path, env: quarantine.env });
    await options.check({ commit: commit.oid, tree, parent, ref, before }, stdout.toString().split('\0').filter(Boolean));
  }
  await quarantine.write([commit]);
  await fsckCommits(repository, quarantine, [[commit.oid, parent]]);
  return { commit: commit.oid, tree };
}
