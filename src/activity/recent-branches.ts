import { findRepositories, type Repository } from '../access/find-repository.ts';
import { now } from '../clock.ts';
import { ownFork } from '../code/contents/propose.ts';
import type { Context } from '../context.ts';
import { branchRef } from '../git/refs/ref-names.ts';
import { storedRef } from '../git/refs/stored-refs.ts';
import { fromBranches } from '../pulls/open.ts';

/** A branch that somebody has pushed lately. */
export interface RecentBranch {
  /** The repository itself, or the caller's fork. */
  readonly repository: Repository;
  readonly name: string;
  /** Seconds since 1970. */
  readonly pushedAt: number;
}

/** Pushes that are older are not recent. */
const SECONDS = 6 * 3600;
/** Branches that are looked at. */
const MAX_BRANCHES = 20;
const HEADS = 'refs/heads/';

/**
 * Branches of a repository and of the caller's fork of it that the caller has pushed lately, that have something to propose, no open pull
 * request, and none that is over with the commit at their end: the latest first.
 */
export async function recentBranches(context: Context, repository: Repository, limit: number): Promise<RecentBranch[]> {
  const { db, actor } = context;
  if (!actor) return [];
  const forkId = await ownFork(context, repository);
  const [fork] = forkId === undefined ? [] : await findRepositories(db, [forkId]);
  const repositories = [repository, ...(fork ? [fork] : [])];
  const rows = await db
    .selectFrom('activities')
    .select((select) => ['repository_id', 'ref', select.fn.max('created_at').as('pushed_at')])
    .where('actor_id', '=', actor.id)
    .where('created_at', '>=', now() - SECONDS)
    .where(
      'repository_id',
      'in',
      repositories.map(({ id }) => id),
    )
    .where('type', '=', 'commit_repo')
    .groupBy(['repository_id', 'ref'])
    .orderBy('pushed_at', 'desc')
    .limit(MAX_BRANCHES)
    .execute();
  const main = storedRef(context.git.locate(repository), branchRef(repository.default_branch));
  const branches = rows.flatMap(({ repository_id: id, ref, pushed_at: pushedAt }): Candidate[] => {
    const from = repositories.find((one) => one.id === id);
    if (!from || !ref.startsWith(HEADS)) return [];
    const name = ref.slice(HEADS.length);
    const tip = name === from.default_branch ? undefined : storedRef(context.git.locate(from), ref);
    return tip === undefined || tip === main ? [] : [{ repository: from, name, pushedAt: Number(pushedAt), tip }];
  });
  return (await withoutPulls(context, branches)).slice(0, limit);
}

interface Candidate extends RecentBranch {
  /** The id of the commit at its end. */
  readonly tip: string;
}

async function withoutPulls(context: Context, branches: readonly Candidate[]): Promise<RecentBranch[]> {
  const proposed = new Set<RecentBranch>();
  for (const [repository, own] of Map.groupBy(branches, ({ repository }) => repository)) {
    const names = own.map(({ name }) => name);
    const tips = own.map(({ tip }) => tip);
    const pulls = await fromBranches(context, repository, names)
      .where((where) => where.or([where('issues.is_closed', '=', false), where('pull_requests.head_id', 'in', tips)]))
      .select(['pull_requests.head_branch', 'pull_requests.head_id', 'issues.is_closed'])
      .execute();
    for (const branch of own)
      if (pulls.some((pull) => pull.head_branch === branch.name && (!pull.is_closed || pull.head_id === branch.tip))) proposed.add(branch);
  }
  return branches.filter((branch) => !proposed.has(branch));
}
