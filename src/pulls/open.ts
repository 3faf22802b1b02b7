import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';

type RepositoryId = Pick<Repository, 'id'>;

/** A query for the open pull requests from a branch of this repository, joined with their issues, to be refined. */
export function openFromBranch(context: Pick<Context, 'db'>, head: RepositoryId, branch: string) {
  return openFromBranches(context, head, [branch]);
}

/** {@link openFromBranch} for any of several branches, at least one. */
export function openFromBranches(context: Pick<Context, 'db'>, head: RepositoryId, branches: readonly string[]) {
  return fromBranches(context, head, branches).where('issues.is_closed', '=', false);
}

/** All pull requests, open or not, from any of these branches, joined with their issues. */
export function fromBranches(context: Pick<Context, 'db'>, head: RepositoryId, branches: readonly string[]) {
  return withIssues(context)
    .where('pull_requests.head_repository_id', '=', head.id)
    .where('pull_requests.head_branch', 'in', branches)
    .where('pull_requests.flow', '=', 'branch');
}

/** {@link openFromBranch} for those to the branch. */
export function openOntoBranch(context: Pick<Context, 'db'>, base: RepositoryId, branch: string) {
  return withIssues(context)
    .where('issues.is_closed', '=', false)
    .where('pull_requests.repository_id', '=', base.id)
    .where('pull_requests.base_branch', '=', branch);
}

function withIssues({ db }: Pick<Context, 'db'>) {
  return db.selectFrom('pull_requests').innerJoin('issues', 'issues.id', 'pull_requests.issue_id');
}
