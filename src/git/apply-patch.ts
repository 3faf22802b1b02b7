import { join } from 'node:path';
import { type BranchTarget, type BranchTip, onBranchTip } from './branch-tip.ts';
import { BranchNotFoundError, CommitMismatchError } from './change-errors.ts';
import { type CommittingFor, commitChange } from './change-files.ts';
import type { Signature } from './format-identity.ts';
import { fsckCommits } from './fsck-files.ts';
import { GitError, runGit } from './process.ts';
import { inQuarantine, type Quarantine } from './quarantine.ts';
import type { GitRepository } from './repository.ts';
import { updateRef } from './update-refs.ts';
import type { Sign } from './write-objects.ts';

/** A patch that makes one commit. */
export interface ApplyPatchOptions extends BranchTarget {
  /** As `git diff` or `git format-patch` write it. */
  patch: string | Uint8Array;
  /** The branch must stand here. */
  lastCommit?: string;
  message: string;
  author: Signature;
  committer: Signature;
  /** Adds a Signed-off-by line for the committer. */
  signoff?: boolean;
  sign?: Sign;
  /** As in `ChangeFilesOptions`. */
  committing?: CommittingFor;
  /** Called with the changed paths before the branch moves; an error stops the change. */
  check?: (change: AppliedPatch, paths: readonly string[]) => Promise<void>;
  /** As in `ChangeFilesOptions`. */
  moving?: (change: AppliedPatch) => Promise<void>;
}

/** The commit a patch has made. */
export interface AppliedPatch {
  commit: string;
  tree: string;
  parent: string;
  /** The full name of the ref that has moved. */
  ref: string;
  /** Where the ref stood before; null when it is new. */
  before: string | null;
}

/** A patch that is none, or does not fit. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  /** What git says of it, in English; each line without its `error: `. */
  readonly reasons: readonly string[];
  constructor(stderr: string) {
    const reasons = stderr
      .split('\n')
      .map((line) => line.replace(/^(error|fatal): /, '').trim())
      .filter(Boolean)
      .slice(0, 20);
    super(`the patch does not apply: ${reasons[0] ?? 'no reason given'}`);
    this.reasons = reasons;
  }
}

/**
 * Applies a patch to a branch with one commit. Like `git apply --3way`, it finds its place in files that have changed a little.
 * @throws PatchError, HarmfulFileError, BranchNotFoundError, BranchExistsError, CommitMismatchError, and those of update-refs.ts; then nothing is left
 */
export async function applyPatch(repository: GitRepository, options: ApplyPatchOptions): Promise<AppliedPatch> {
  return await onBranchTip(repository, options, async (tip) => {
    const { parent, ref, before } = tip;
    if (parent === null) throw new BranchNotFoundError(options.branch);
    if (options.lastCommit && options.lastCommit !== parent) throw new CommitMismatchError(options.lastCommit);
    const made = await inQuarantine(repository, (quarantine) => commitPatch(repository, quarantine, options, { ...tip, parent }));
    const applied = { ...made, parent, ref, before };
    await updateRef(repository, { name: ref, to: made.commit, from: before }, async () => options.moving?.(applied));
    return applied;
  });
}

async function commitPatch(
  repository: GitRepository,
  quarantine: Quarantine,
  options: ApplyPatchOptions,
  { parent, ref, before }: BranchTip & { parent: string },
): Promise<{ commit: string; tree: string }> {
  const env = { ...quarantine.env, GIT_INDEX_FILE: join(quarantine.folder, 'index') };
  const git = (args: readonly string[], input?: string | Uint8Array) =>
    runGit(args, { cwd: repository.path, env, ...(input === undefined ? {} : { input }) });
  await git(['read-tree', '--end-of-options', parent]);
  await git(['apply', '--cached', '--recount', '--ignore-whitespace', '--whitespace=fix', '--binary', '--3way', '-'], options.patch).catch(
    (error: unknown) => {
      if (error instanceof GitError && (error.code === 1 || error.code === 128)) throw new PatchError(error.stderr);
      throw error;
    },
  );
  const tree = (await git(['write-tree'])).stdout.toString().trim();
  const commit = await commitChange(repository, options, { tree, parent });
  if (options.check) {
    const { stdout } = await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', parent, tree]);
    await options.check({ commit: commit.oid, tree, parent, ref, before }, stdout.toString().split('\0').filter(Boolean));
  }
  await quarantine.write([commit]);
  await fsckCommits(repository, quarantine, [[commit.oid, parent]]);
  return { commit: commit.oid, tree };
}
