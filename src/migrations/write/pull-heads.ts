import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { RefConflictError, type RefUpdate, updateRef, updateRefs } from '../../git/refs/update-refs.ts';
import { headRef } from '../../pulls/find.ts';
import type { PreparedPull } from './prepare-pull.ts';
import type { Target } from './run.ts';

/** Refs that one update writes. */
const REFS = 100;

/** Writes the refs of pull requests, and the branches of those from forks. Nobody else writes to the repository yet. */
export async function placeHeads({ context, repository }: Target, pulls: readonly PreparedPull[]): Promise<void> {
  const folder = context.git.locate(repository);
  const updates: RefUpdate[] = pulls.map(({ row }) => ({ name: headRef(row), to: row.head_id }));
  for (let at = 0; at < updates.length; at += REFS) await updateRefs(folder, updates.slice(at, at + REFS));
  for (const { head, hasHead, isClosed, row } of pulls) {
    const name = branchRef(row.head_branch);
    if (!hasHead || head.fork === undefined || isClosed || storedRef(folder, name) !== undefined) continue;
    try {
      await updateRef(folder, { name, to: row.head_id });
    } catch (error) {
      // A branch `a` keeps `a/b` from being made: the pull request is known by its ref then.
      if (!(error instanceof RefConflictError)) throw error;
      context.log.warn({ repository: repository.id, branch: row.head_branch }, 'the branch of a pull request could not be made');
    }
  }
}
