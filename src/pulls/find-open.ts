import type { Context } from '../context.ts';
import type { Repository } from '../repositories/find.ts';

/** The number of the open pull request from a branch into the default branch of `base`, to tell who pushes of it. */
export async function findOpenNumber({ db }: Context, base: Repository, head: Repository, branch: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .select('pull_requests.number')
    .where('pull_requests.head_repository_id', '=', head.id)
    .where('pull_requests.head_branch', '=', branch)
    .where('pull_requests.repository_id', '=', base.id)
    .where('pull_requests.base_branch', '=', base.default_branch)
    .where('pull_requests.flow', '=', 'branch')
    .where('issues.is_closed', '=', false)
    .executeTakeFirst();
  return row?.number;
}
