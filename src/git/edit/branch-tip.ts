import { withMutex } from '../mutex.ts';
import { findRefBelow, storedRef } from '../refs/stored-refs.ts';
import { StaleRefError } from '../refs/update-refs.ts';
import type { GitRepository } from '../repository.ts';
import { BranchExistsError, BranchNotFoundError } from './change-errors.ts';

/** The branch for a new commit. */
export interface BranchTarget {
  /** The short name of the branch to start from. In a repository without any branch it need not exist. */
  branch: string;
  /** The branch for the commit; it must not exist unless `force`. The default is `branch`. */
  newBranch?: string;
  /** Moves an existing `newBranch`, whatever its commit. */
  force?: boolean;
}

/** A branch at the beginning of a change. */
export interface BranchTip {
  /** The parent of the new commit; null in a repository without any branch. */
  readonly parent: string | null;
  /** The full name of the ref to move. */
  readonly ref: string;
  /** The commit that the ref points to; null when it is new. */
  readonly before: string | null;
}

/** How often a change is retried because another writer moved the branch. */
const MAX_ATTEMPTS = 10;

/**
 * Runs a change of a branch: after the other changes of this process, and again when another writer has moved the branch meanwhile. The
 * change itself moves the ref, from the commit in the tip.
 * @throws BranchNotFoundError, BranchExistsError; StaleRefError when other writers are always faster
 */
export async function onBranchTip<T>(repository: GitRepository, target: BranchTarget, change: (tip: BranchTip) => Promise<T>): Promise<T> {
  return await withMutex(`${repository.path}\0${target.newBranch ?? target.branch}`, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await change(readTip(repository, target));
      } catch (error) {
        if (!(error instanceof StaleRefError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  });
}

function readTip(repository: GitRepository, { branch, newBranch = branch, force = false }: BranchTarget): BranchTip {
  const ref = `refs/heads/${newBranch}`;
  const parent = storedRef(repository, `refs/heads/${branch}`) ?? null;
  if (parent === null && findRefBelow(repository, 'refs/heads')) throw new BranchNotFoundError(branch);
  const before = newBranch === branch ? parent : (storedRef(repository, ref) ?? null);
  if (newBranch !== branch && before !== null && !force) throw new BranchExistsError(newBranch);
  return { parent, ref, before };
}
