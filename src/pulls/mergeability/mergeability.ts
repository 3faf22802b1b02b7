import type { Repository } from '../../access/find-repository.ts';
import { matchingPaths } from '../../code/protections/match.ts';
import { hasPathPattern } from '../../code/protections/patterns.ts';
import { pushedPaths } from '../../code/protections/pushed.ts';
import { branchRule } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import type { PullStatus } from '../../database/tables/pulls.ts';
import { aheadBehind, mergeBase } from '../../git/history/log.ts';
import { tryMerge } from '../../git/merge/merge.ts';
import { readCommit } from '../../git/objects/commits.ts';

/** The two sides of a merge: commits of the base repository. */
export interface Sides {
  readonly base: string;
  readonly head: string;
}

/** The result of merging a head into a base. */
export interface Mergeability {
  readonly status: Extract<PullStatus, 'mergeable' | 'conflict' | 'empty' | 'ancestor'>;
  /** The base itself when the two have no common ancestor. */
  readonly mergeBase: string;
  readonly conflictedFiles: readonly string[];
  /** In lower case, as for matching; at most {@link MAX_PROTECTED_FILES}. */
  readonly changedProtectedFiles: readonly string[];
  readonly ahead: number;
  readonly behind: number;
}

/** Maximum number of stored conflicted paths. */
const MAX_CONFLICTED_FILES = 1000;
/** Maximum number of named protected paths. */
const MAX_PROTECTED_FILES = 10;

/** Checks whether the head can be merged into the branch, without a work tree and without leaving anything behind. */
export async function findMergeability(context: Context, repository: Repository, branch: string, sides: Sides): Promise<Mergeability> {
  const { git } = context;
  const folder = git.locate(repository);
  const { base, head } = sides;
  const ancestor = await mergeBase(folder, git.pool, base, head);
  const counts = await aheadBehind(folder, git.pool, base, head);
  const known = { mergeBase: ancestor ?? base, conflictedFiles: [], changedProtectedFiles: [], ...counts };
  if (ancestor === undefined) return { ...known, status: 'empty' };
  if (ancestor === head) return { ...known, status: 'ancestor' };
  // A merge into an ancestor gives the head itself.
  const merged = ancestor === base ? undefined : await tryMerge(folder, base, head);
  if (merged && !merged.clean) return { ...known, status: 'conflict', conflictedFiles: merged.paths.slice(0, MAX_CONFLICTED_FILES) };
  const tree = merged?.tree ?? (await readCommit(folder, git.pool, head))?.tree;
  if (tree === (await readCommit(folder, git.pool, base))?.tree) return { ...known, status: 'empty' };
  const changedProtectedFiles = await findProtectedFiles(context, repository, branch, { before: ancestor, after: head });
  return { ...known, status: 'mergeable', changedProtectedFiles };
}

/** The protected paths that a head has changed since the merge base. */
export async function findProtectedFiles(
  context: Context,
  repository: Repository,
  branch: string,
  range: { before: string; after: string },
): Promise<string[]> {
  const rule = await branchRule(context, repository, branch);
  if (!rule || !hasPathPattern(rule.protected_file_patterns)) return [];
  const paths = await pushedPaths(context.git.locate(repository), range);
  const found = await matchingPaths(context, rule.protected_file_patterns, paths, MAX_PROTECTED_FILES);
  return found.map((path) => path.toLowerCase());
}
