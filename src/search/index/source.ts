import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { readRef } from '../../git/refs/refs.ts';
import { readTreeRecursiveSized } from '../../git/trees/tree-listing.ts';
import type { IndexedBranch } from './rows.ts';

/** Files of a repository that are indexed at most. */
const MAX_FILES = 100_000;

/** A file of the branch. */
export interface SourceFile {
  readonly path: string;
  readonly oid: string;
  readonly size: number;
}

/** The branch that is to be indexed. */
export interface SourceBranch extends IndexedBranch {
  /** Undefined if the branch has no commit. */
  readonly tree: string | undefined;
}

/** The default branch as it is now. A move after its version was read has an update of its own. */
export async function sourceBranch(context: Context, repository: Repository): Promise<SourceBranch> {
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  const ref = await readRef(folder, pool, `refs/heads/${repository.default_branch}`);
  const commit = ref && (await readCommit(folder, pool, ref.oid));
  const { default_branch: branch, refs_version } = repository;
  return { branch, refs_version, commit_id: commit?.oid ?? '', tree: commit?.tree };
}

/** The files that are indexed, and whether some are left out because they are too many. */
export async function sourceFiles(
  context: Context,
  repository: Repository,
  tree: string | undefined,
): Promise<{ files: SourceFile[]; isPartial: boolean }> {
  const { maxFileSize, maxRepositorySize } = context.settings.codeSearch;
  const folder = context.git.locate(repository);
  const listing = tree === undefined ? undefined : await readTreeRecursiveSized(folder, context.git.pool, tree, MAX_FILES);
  const files: SourceFile[] = [];
  let left = maxRepositorySize;
  let isPartial = listing?.truncated ?? false;
  for (const { path, oid, type, mode, size } of listing?.entries ?? []) {
    if (type !== 'blob' || mode === '120000' || size === undefined || size === 0 || size > maxFileSize) continue;
    if (size > left) {
      isPartial = true;
      continue;
    }
    left -= size;
    files.push({ path, oid, size });
  }
  return { files, isPartial };
}
