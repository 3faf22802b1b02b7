import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { RefUpdate } from '../git/ref-update.ts';
import { countRefs } from '../git/refs.ts';

/** How many branches a repository has, as of when this many moves of refs had been recorded. */
export interface BranchCount {
  readonly branches: number;
  readonly refsVersion: number;
}

/** Another move of refs was recorded after the branches had been counted: they are counted again. */
export class CountedTooEarlyError extends Error {
  override readonly name = 'CountedTooEarlyError';
}

/** Whether these moves change how many branches there are. */
export function changesBranchCount(updates: readonly RefUpdate[]): boolean {
  return updates.some(({ ref, oldId, newId }) => ref.startsWith('refs/heads/') && (/^0+$/.test(oldId) || /^0+$/.test(newId)));
}

const versionOf = prepared((db, id: number) => db.selectFrom('repositories').select('refs_version').where('id', '=', id));

/**
 * Counts the branches that git has. Called before the transaction that records it, which would keep all other writers waiting on SQLite for
 * as long as thousands of files are read; `refsVersion` says there whether the count still holds.
 */
export async function countBranches({ database, git }: Context, repository: Repository): Promise<BranchCount> {
  // Read first: moves that are recorded later may not have been counted.
  const [row] = await versionOf(database.db, repository.id);
  return { refsVersion: row?.refs_version ?? 0, branches: await branchesOf({ git }, repository) };
}

/** How many branches git has now. */
export async function branchesOf({ git }: Pick<Context, 'git'>, repository: Repository): Promise<number> {
  return countRefs(git.locate(repository), git.pool, 'refs/heads');
}
