import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { type BranchTip, listBranchTips } from '../../git/refs/branches.ts';
import { isValidRefName } from '../../git/refs/ref-names.ts';
import { readRef } from '../../git/refs/refs.ts';
import { notFound } from '../../http/errors.ts';
import type { Branch } from './present.ts';

const PREFIX = 'refs/heads/';

/** All branches, the one with the newest commit first; branches of the same second by name. */
export function listBranches({ git }: Context, repository: Repository): Promise<readonly BranchTip[]> {
  return listBranchTips(git.locate(repository), git.pool);
}

/** These branches with their commits, for those that are shown. */
export async function withCommits({ git }: Context, repository: Repository, tips: readonly BranchTip[]): Promise<Branch[]> {
  const located = git.locate(repository);
  const commits = await Promise.all(tips.map(({ oid }) => readCommit(located, git.pool, oid)));
  return tips.flatMap(({ name }, index) => {
    const commit = commits[index];
    return commit ? [{ name, commit }] : [];
  });
}

/** The branch of this name; undefined if there is none. */
export async function findBranch(context: Context, repository: Repository, name: string): Promise<Branch | undefined> {
  if (!isValidRefName(name)) return undefined;
  const located = context.git.locate(repository);
  const ref = await readRef(located, context.git.pool, PREFIX + name);
  const commit = ref && (await readCommit(located, context.git.pool, ref.oid));
  return commit && { name, commit };
}

/**
 * The branch of this name.
 * @throws HttpError 404
 */
export async function getBranch(context: Context, repository: Repository, name: string): Promise<Branch> {
  const branch = await findBranch(context, repository, name);
  if (!branch) throw notFound();
  return branch;
}
