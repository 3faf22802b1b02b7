import { join } from 'node:path';
import { GitError, runGit } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';
import { type CommitTreeOptions, commitTree, type TreeCommit } from './commit-tree.ts';

/** A patch that makes one commit. */
export interface ApplyPatchOptions extends CommitTreeOptions {
  /** The output of `git diff` or `git format-patch`. */
  patch: string | Uint8Array;
}

/** A patch is malformed, or does not apply. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  /** git's messages, in English; each line without its `error: `. */
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
 * Applies a patch to a branch with one commit. Like `git apply --3way`, it also applies to files that have changed a little.
 * @throws PatchError, and the errors of commitTree; then nothing has changed
 */
export async function applyPatch(repository: GitRepository, { patch, ...options }: ApplyPatchOptions): Promise<TreeCommit> {
  return await commitTree(repository, options, async (quarantine, parent) => {
    const env = { ...quarantine.env, GIT_INDEX_FILE: join(quarantine.folder, 'index') };
    const git = (args: readonly string[], input?: string | Uint8Array) =>
      runGit(args, { cwd: repository.path, env, ...(input === undefined ? {} : { input }) });
    await git(['read-tree', '--end-of-options', parent]);
    const args = ['apply', '--cached', '--recount', '--ignore-whitespace', '--whitespace=fix', '--binary', '--3way', '-'];
    await git(args, patch).catch((error: unknown) => {
      if (error instanceof GitError && (error.code === 1 || error.code === 128)) throw new PatchError(error.stderr);
      throw error;
    });
    return (await git(['write-tree'])).stdout.toString().trim();
  });
}
