import type { GitPool } from '../objects/objects.ts';
import type { GitRepository } from '../repository.ts';
import { readTree } from './trees.ts';

/** Folders nested deeper than this are not entered. */
const MAX_DEPTH = 1024;

/**
 * The number of files and folders below a tree. A tree that occurs many times is read once: ten trees of ten entries can be ten billion
 * files, too many to enumerate.
 * @param limit where counting may stop: the result is then larger than this
 */
export async function countBelow(repository: GitRepository, pool: GitPool, tree: string, limit: number): Promise<number> {
  const counts = new Map<string, Promise<number>>();
  const count = (oid: string, depth: number): Promise<number> => {
    const known = counts.get(oid);
    if (known) return known;
    const counting = below(oid, depth);
    counts.set(oid, counting);
    return counting;
  };
  const below = async (oid: string, depth: number): Promise<number> => {
    const entries = (await readTree(repository, pool, oid)) ?? [];
    if (depth > MAX_DEPTH || entries.length > limit || counts.size > limit) return entries.length;
    const folders = entries.filter(({ type }) => type === 'tree');
    const within = await Promise.all(folders.map((entry) => count(entry.oid, depth + 1)));
    return Math.min(
      within.reduce((sum, one) => sum + one, entries.length),
      limit + 1,
    );
  };
  return pool.cache.remember(
    repository,
    `count ${limit} ${tree}`,
    () => 100,
    () => count(tree, 0),
  );
}
