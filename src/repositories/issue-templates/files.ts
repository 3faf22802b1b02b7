import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import type { TreeEntry } from '../../git/objects/tree-entry.ts';
import { readRef } from '../../git/refs/refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import { findEntry, readTree } from '../../git/trees/trees.ts';
import { TemplateError } from './error.ts';

/** A larger file is not a template. */
const MAX_FILE_BYTES = 256 * 1024;

/** The default branch's tree, to find files in; undefined in an empty repository. */
export async function defaultTree({ git }: Context, repository: Repository): Promise<{ folder: GitRepository; tree: string } | undefined> {
  const folder = git.locate(repository);
  const branch = await readRef(folder, git.pool, `refs/heads/${repository.default_branch}`);
  const commit = branch && (await readCommit(folder, git.pool, branch.oid));
  return commit && { folder, tree: commit.tree };
}

/** The files directly in a folder of the tree. */
export async function filesIn({ git }: Context, folder: GitRepository, tree: string, path: string): Promise<readonly TreeEntry[]> {
  const entry = await findEntry(folder, git.pool, tree, path);
  if (entry?.type !== 'tree') return [];
  const entries = await readTree(folder, git.pool, entry.oid);
  return (entries ?? []).filter(({ type, mode }) => type === 'blob' && mode !== '120000');
}

/**
 * The text of a file.
 * @throws TemplateError when it is too long
 */
export async function textOf({ git }: Context, folder: GitRepository, { oid }: Pick<TreeEntry, 'oid'>): Promise<string> {
  const info = await git.pool.info(folder, oid);
  if (!info || info.size > MAX_FILE_BYTES) throw new TemplateError('the file is too long');
  const blob = await git.pool.read(folder, oid, { maxSize: MAX_FILE_BYTES });
  return blob ? blob.data.toString('utf8') : '';
}
