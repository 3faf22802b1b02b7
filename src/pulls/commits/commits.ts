import type { Context } from '../../context.ts';
import { countCommits, listCommits } from '../../git/history/log.ts';
import { type Commit, readCommits } from '../../git/objects/commits.ts';
import type { Page } from '../../http/paging.ts';
import type { Pull } from '../find.ts';
import { pullRange } from '../range.ts';

/** The commits of a pull request, newest first. */
export async function listPullCommits(context: Context, pull: Pull, page: Page): Promise<{ commits: Commit[]; total: number }> {
  const { pool } = context.git;
  const folder = context.git.locate(pull.issue.repository);
  const { base, mergeBase, head } = await pullRange(context, pull);
  const from = mergeBase ?? base;
  const history = { head, ...(from !== '' && { exclude: [from] }) };
  const total = await countCommits(folder, pool, history);
  const ids = await listCommits(folder, pool, history, { skip: page.offset, limit: page.limit });
  return { commits: await readCommits(folder, pool, ids), total };
}
