import { findUsersById } from '../../accounts/find.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { repositoryAccess } from '../../repositories/access.ts';
import type { Repository } from '../../repositories/find.ts';
import { withIssues } from '../find.ts';
import { openFromBranch } from '../open.ts';

/**
 * Whether somebody without the right to write to a repository may push to this one branch of it: an open pull request comes from
 * it, whose author lets maintainers do so and may write there, and the somebody may write to its base (lesson 13).
 */
export async function mayMaintain(context: Context, head: Repository, branch: string, user: User): Promise<boolean> {
  const rows = await openFromBranch(context, head, branch)
    .selectAll('pull_requests')
    .where('pull_requests.allow_maintainer_edit', '=', true)
    .execute();
  const pulls = await withIssues(context.db, rows);
  const authors = await findUsersById(
    context.db,
    pulls.map(({ issue }) => issue.author_id),
  );
  for (const { issue } of pulls) {
    const author = authors.get(issue.author_id);
    if (!author || !(await repositoryAccess(context, head, author)).canWrite('code')) continue;
    if ((await repositoryAccess(context, issue.repository, user)).canWrite('code')) return true;
  }
  return false;
}
