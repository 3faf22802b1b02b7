import { readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import type { RefUpdate } from '../refs/ref-update.ts';
import type { GitRepository } from '../repository.ts';
import type { HistoryFilter } from './log.ts';

/**
 * The commits that a moved branch has gained. Events may be handled late, when a commit that no ref reaches any more has been deleted.
 * @returns without `exclude` where the branch is new or its former commit is missing; undefined where nothing was added or its commit is missing
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
