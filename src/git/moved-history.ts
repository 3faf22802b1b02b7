import { readCommit } from './commits.ts';
import type { HistoryFilter } from './log.ts';
import type { GitPool } from './objects.ts';
import type { RefUpdate } from './ref-update.ts';
import type { GitRepository } from './repository.ts';

/**
 * The commits that the move of a branch brought. What happens after a push may come late: a commit may be gone that no ref led to any more.
 * @returns without `exclude` where the branch is new or its former commit is gone; undefined where nothing came or its commit is gone
 */
export async function movedHistory(
  repository: GitRepository,
  pool: GitPool,
  { oldId, newId }: Pick<RefUpdate, 'oldId' | 'newId'>,
): Promise<HistoryFilter | undefined> {
  const isThere = async (id: string) => !/^0+$/.test(id) && (await readCommit(repository, pool, id)) !== undefined;
  if (!(await isThere(newId))) return undefined;
  return (await isThere(oldId)) ? { head: newId, exclude: [oldId] } : { head: newId };
}
