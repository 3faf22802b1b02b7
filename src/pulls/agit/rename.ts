import { findUserById } from '../../access/find-user.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';

/** Renames the topics of open pull requests, which begin with the pusher's name, in the transaction that renames the user. */
export async function renameTopics({ userId, oldName }: Events['user.renamed'], { db }: Context): Promise<void> {
  const user = await findUserById(db, userId);
  if (!user) return;
  const before = `${oldName.toLowerCase()}/`;
  const rows = await db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .select(['pull_requests.id', 'pull_requests.head_branch'])
    .where('issues.author_id', '=', userId)
    .where('pull_requests.flow', '=', 'agit')
    .where('pull_requests.merged_commit_id', '=', '')
    .execute();
  for (const { id, head_branch: branch } of rows) {
    if (!branch.startsWith(before)) continue;
    const renamed = `${user.lower_name}/${branch.slice(before.length)}`;
    await db.updateTable('pull_requests').set({ head_branch: renamed }).where('id', '=', id).execute();
  }
}
