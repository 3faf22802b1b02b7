import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/commits.ts';
import { compareNames, isValidRefName } from '../../git/ref-names.ts';
import { listRefs, readRef } from '../../git/refs.ts';
import { notFound } from '../../http/errors.ts';
import type { Branch } from './present.ts';

const PREFIX = 'refs/heads/';

/** All branches, the one with the newest commit first; branches of the same second by name. */
export async function listBranches(context: Context, repository: Repository): Promise<Branch[]> {
  const located = context.git.locate(repository);
  const refs = await listRefs(located, context.git.pool, PREFIX);
  const commits = await Promise.all(refs.map(({ oid }) => readCommit(located, context.git.pool, oid)));
  const branches = refs.flatMap((ref, index) => {
    const commit = commits[index];
    return commit ? [{ name: ref.name.slice(PREFIX.length), commit }] : [];
  });
  return branches.sort((a, b) => timeOf(b) - timeOf(a) || compareNames(a.name, b.name));
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

function timeOf({ commit }: Branch): number {
  return commit.committer.seconds ?? 0;
}
