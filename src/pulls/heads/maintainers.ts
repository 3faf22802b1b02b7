import type { Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { withIssues } from '../find.ts';
import { openFromBranches } from '../open.ts';

/**
 * The branches among these that a user without write access to the repository may push to: an open pull request comes from the branch,
 * its author lets maintainers push and may write there, and the user may write to its base.
 */
export async function maintainedBranches(
  context: Context,
  head: Repository,
  branches: readonly string[],
  user: User,
): Promise<Set<string>> {
  const maintained = new Set<string>();
  if (branches.length === 0) return maintained;
  const rows = await openFromBranches(context, head, branches)
    .selectAll('pull_requests')
    .where('pull_requests.allow_maintainer_edit', '=', true)
    .execute();
  const pulls = await withIssues(context.db, rows);
  const authors = await findUsersById(
    context.db,
    pulls.map(({ issue }) => issue.author_id),
  );
  for (const { issue, head_branch: branch } of pulls) {
    const author = authors.get(issue.author_id);
    if (maintained.has(branch) || !author || !(await repositoryAccess(context, head, author)).canWrite('code')) continue;
    if ((await repositoryAccess(context, issue.repository, user)).canWrite('code')) maintained.add(branch);
  }
  return maintained;
}
