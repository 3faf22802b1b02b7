import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import { countRefs } from '../git/refs/refs.ts';

/** The number of branches of a repository, after this many recorded ref updates. */
export interface BranchCount {
  readonly branches: number;
  readonly refsVersion: number;
}

/** Another ref update was recorded after the branches had been counted: they are counted again. */
export class CountedTooEarlyError extends Error {
  override readonly name = 'CountedTooEarlyError';
}

/** Whether these updates change the number of branches. */
export function changesBranchCount(updates: readonly RefUpdate[]): boolean {
  return updates.some(({ ref, oldId, newId }) => ref.startsWith('refs/heads/') && (/^0+$/.test(oldId) || /^0+$/.test(newId)));
}

const versionOf = prepared((db, id: number) => db.selectFrom('repositories').select('refs_version').where('id', '=', id));

/**
 * Counts the branches in git. Called before the transaction that records the number: within it, all other writers of SQLite would wait
 * while thousands of files are read; `refsVersion` tells there whether the count is still valid.
 */
export async function countBranches({ database, git }: Context, repository: Repository): Promise<BranchCount> {
  // Read first: updates that are recorded later may not have been counted.
  const [row] = await versionOf(database.db, repository.id);
  return { refsVersion: row?.refs_version ?? 0, branches: await branchesOf({ git }, repository) };
}

/** The current number of branches in git. */
export async function branchesOf({ git }: Pick<Context, 'git'>, repository: Repository): Promise<number> {
  return countRefs(git.locate(repository), git.pool, 'refs/heads');
}
