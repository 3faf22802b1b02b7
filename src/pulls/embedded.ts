import { findRepositories, type Repository } from '../access/find-repository.ts';
import { type RepositoryAccess, repositoriesAccess } from '../access/repository-access.ts';
import type { User as UserShape } from '../accounts/users/schema.ts';
import type { Context } from '../context.ts';
import type { Shape } from '../http/schema.ts';
import { findPeople, presentPeople } from '../issues/people.ts';
import { presentIssues } from '../issues/present.ts';
import type { Issue as IssueShape } from '../issues/schema.ts';
import { presentTeams } from '../organizations/teams/present.ts';
import type { Team } from '../organizations/teams/schema.ts';
import { presentRepositories } from '../repositories/present.ts';
import type { Repository as RepositoryShape } from '../repositories/schema.ts';
import type { Pull } from './find.ts';
import { branchTip, branchTips } from './heads/tips.ts';
import { type Reviewers, requestedReviewers, reviewCounts } from './reviews/find.ts';

const FEW_BRANCHES = 5;

/** The commit of a branch; undefined where it is missing. */
type Tip = (repository: Repository, branch: string) => Promise<string | undefined>;

/** Data for the presentation of pull requests besides their own rows, read for a whole list at once. */
export interface Embedded {
  issues: ReadonlyMap<number, Shape<typeof IssueShape>>;
  repositories: ReadonlyMap<number, Repository>;
  presented: ReadonlyMap<number, Shape<typeof RepositoryShape>>;
  /** Whether the caller may see the repository of a head. */
  isShown: (head: Repository) => boolean;
  reviewers: ReadonlyMap<number, Reviewers>;
  teams: ReadonlyMap<number, Shape<typeof Team>>;
  reviews: ReadonlyMap<number, number>;
  /** As anonymous callers see them. */
  user: (id: number) => Shape<typeof UserShape>;
  tip: Tip;
}

/** Reads the data to present these pull requests. `commenters`: reviewers who have only commented count as well. */
export async function readEmbedded(context: Context, pulls: readonly Pull[], { commenters }: { commenters: boolean }): Promise<Embedded> {
  const issues = pulls.map(({ issue }) => issue);
  const bases = new Map(issues.map(({ repository }) => [repository.id, repository]));
  const headIds = pulls.flatMap(({ head_repository_id: id }) => (id !== null && !bases.has(id) ? [id] : []));
  const heads = await findRepositories(context.db, headIds);
  const repositories = new Map([...bases, ...heads.map((repository) => [repository.id, repository] as const)]);
  const access = await repositoriesAccess(context, [...repositories.values()], context.actor);
  const presented = await presentRepositories(context, [...repositories.values()], shownHeads(pulls, access));
  const wires = await presentIssues(context, issues);
  const reviewers = await requestedReviewers(context, pulls, { commenters });
  const requests = [...reviewers.values()];
  const peopleIds = [...pulls.flatMap(({ merger_id: id }) => id ?? []), ...requests.flatMap(({ userIds }) => userIds)];
  const people = await findPeople(context.db, peopleIds, [context.actor, ...issues.map(({ repository }) => repository.owner)]);
  const teams = new Map(requests.flatMap(({ teams }) => teams).map((team) => [team.id, team]));
  return {
    issues: new Map(wires.map((wire) => [wire.id, wire])),
    repositories,
    presented: new Map(presented.map((repository) => [repository.id, repository])),
    isShown: (head) => access.get(head.id)?.isVisible ?? false,
    reviewers,
    teams: new Map((await presentTeams(context, [...teams.values()], { organizations: true })).map((team) => [team.id, team])),
    reviews: await reviewCounts(context, pulls),
    user: presentPeople(context, people, null),
    tip: tipsOf(context, pulls),
  };
}

/**
 * The caller's access to the repositories, without hidden ones: the head of an open repository's pull request that the caller may not
 * see. Readers of a private repository see where its changes come from, as clients expect.
 */
function shownHeads(pulls: readonly Pull[], access: ReadonlyMap<number, RepositoryAccess>): Map<number, RepositoryAccess> {
  const shown = new Map(access);
  for (const { issue, head_repository_id: id } of pulls) {
    if (id === null || id === issue.repository_id || issue.repository.is_private) continue;
    if (!access.get(id)?.isVisible) shown.delete(id);
  }
  return shown;
}

/** The repository of a pull request's head; undefined where it is deleted. */
export function headRepository(pull: Pull, { repositories }: Embedded): Repository | undefined {
  return pull.head_repository_id === null ? undefined : repositories.get(pull.head_repository_id);
}

/** A few branches are looked up one by one, those of many pull requests of one repository together. */
function tipsOf(context: Context, pulls: readonly Pull[]): Tip {
  const counts = new Map<number, number>();
  for (const { head_repository_id: id } of pulls) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  const read = new Map<number, ReturnType<typeof branchTips>>();
  return async (repository, branch) => {
    if ((counts.get(repository.id) ?? 0) < FEW_BRANCHES) return branchTip(context, repository, branch);
    const tips = read.get(repository.id) ?? branchTips(context, repository);
    read.set(repository.id, tips);
    return (await tips).get(branch);
  };
}
