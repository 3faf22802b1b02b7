import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { openFromBranch } from './open.ts';

/** The number of the open pull request from a branch into the default branch of `base`, for the message to the pusher. */
export async function findOpenNumber(context: Context, base: Repository, head: Repository, branch: string): Promise<number | undefined> {
  const row = await openFromBranch(context, head, branch)
    .select('pull_requests.number')
    .where('pull_requests.repository_id', '=', base.id)
    .where('pull_requests.base_branch', '=', base.default_branch)
    .executeTakeFirst();
  return row?.number;
}
