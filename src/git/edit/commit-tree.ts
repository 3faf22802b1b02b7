import { inQuarantine, type Quarantine } from '../objects/quarantine.ts';
import { runGit } from '../processes/process.ts';
import { updateRef } from '../refs/update-refs.ts';
import type { GitRepository } from '../repository.ts';
import { type BranchTip, onBranchTip } from './branch-tip.ts';
import { BranchNotFoundError, CommitMismatchError } from './change-errors.ts';
import { type CommitOptions, commitChange } from './change-files.ts';
import { fsckCommits } from './fsck-files.ts';

/** One commit for an existing branch. */
export interface CommitTreeOptions extends CommitOptions {
  /** The branch must point to this commit. */
  lastCommit?: string;
  /** Called with the changed paths before the branch moves; an error stops the change. */
  check?: (change: TreeCommit, paths: readonly string[]) => Promise<void>;
  /** As in `ChangeFilesOptions`. */
  moving?: (change: TreeCommit) => Promise<void>;
}

/** The new commit. */
export interface TreeCommit {
  commit: string;
  tree: string;
  parent: string;
  /** The full name of the ref that has moved. */
  ref: string;
  /** The former commit of the ref; null when it is new. */
  before: string | null;
}

/** Builds the tree of the new commit from the parent's, with its objects in the quarantine. */
export type MakeTree = (quarantine: Quarantine, parent: string) => Promise<string>;

/**
 * Adds one commit to a branch, with a tree that git builds. When another writer moves the branch meanwhile, it is built again on the new tip.
 * @throws HarmfulFileError, BranchNotFoundError, BranchExistsError, CommitMismatchError, and those of update-refs.ts; then nothing has changed
 */
export async function commitTree(repository: GitRepository, options: CommitTreeOptions, makeTree: MakeTree): Promise<TreeCommit> {
  return await onBranchTip(repository, options, async ({ parent, ref, before }) => {
    if (parent === null) throw new BranchNotFoundError(options.branch);
    if (options.lastCommit && options.lastCommit !== parent) throw new CommitMismatchError(options.lastCommit);
    const change = await inQuarantine(repository, async (quarantine) => {
      const tree = await makeTree(quarantine, parent);
      return await writeCommit(repository, quarantine, options, tree, { parent, ref, before });
    });
    await updateRef(repository, { name: ref, to: change.commit, from: before }, async () => options.moving?.(change));
    return change;
  });
}

async function writeCommit(
  repository: GitRepository,
  quarantine: Quarantine,
  options: CommitTreeOptions,
  tree: string,
  tip: BranchTip & { readonly parent: string },
): Promise<TreeCommit> {
  const commit = await commitChange(repository, options, { tree, parent: tip.parent });
  const change = { ...tip, commit: commit.oid, tree };
  if (options.check) {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', tip.parent, tree];
    const { stdout } = await runGit(args, { cwd: repository.path, env: quarantine.env });
    await options.check(change, stdout.toString().split('\0').filter(Boolean));
  }
  await quarantine.write([commit]);
  await fsckCommits(repository, quarantine, [[commit.oid, tip.parent]]);
  return change;
}
