import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { PullRow } from '../../database/tables/pulls.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { listRefs, type Ref, readRef } from '../../git/refs/refs.ts';
import { ownText } from '../../text/own-text.ts';

/** The current commit of a branch; undefined if there is no such branch. */
export async function branchTip({ git }: Pick<Context, 'git'>, repository: Repository, branch: string): Promise<string | undefined> {
  return (await readRef(git.locate(repository), git.pool, branchRef(branch)))?.oid;
}

/**
 * The current commit of the head's branch; undefined where the branch is deleted, and for a push to `refs/for/`, which has none. A pull
 * request shows `head_id`, which follows it.
 * @param repository the repository of the head, if it still exists
 */
export async function headTip(
  context: Pick<Context, 'git'>,
  { flow, head_branch: branch }: Pick<PullRow, 'flow' | 'head_branch'>,
  repository: Repository | undefined,
): Promise<string | undefined> {
  return repository && flow === 'branch' ? branchTip(context, repository, branch) : undefined;
}

const BRANCHES = 'refs/heads/';
const byName = new WeakMap<readonly Ref[], ReadonlyMap<string, string>>();

/** {@link branchTip} for a list: all branches of a repository by name, computed again only after one has moved. */
export async function branchTips({ git }: Pick<Context, 'git'>, repository: Repository): Promise<ReadonlyMap<string, string>> {
  const refs = await listRefs(git.locate(repository), git.pool, BRANCHES);
  const known = byName.get(refs);
  if (known) return known;
  const tips = new Map(refs.map(({ name, oid }) => [name.slice(BRANCHES.length), ownText(oid)]));
  byName.set(refs, tips);
  return tips;
}
