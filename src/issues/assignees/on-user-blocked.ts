import { findUserById } from '../../access/find-user.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { findIssuesById } from '../find.ts';
import { unassign } from './assignees.ts';

/** Ends the assignments of either user in the repositories of the other, in timelines as if they had done so themselves. */
export async function unassignFromEachOther({ blockerId, blockedId }: Events['user.blocked'], context: Context): Promise<void> {
  for (const [userId, ownerId] of [
    [blockerId, blockedId],
    [blockedId, blockerId],
  ] as const) {
    const rows = await context.db
      .selectFrom('issue_assignees')
      .innerJoin('issues', 'issues.id', 'issue_assignees.issue_id')
      .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
      .select('issue_assignees.issue_id')
      .where('issue_assignees.user_id', '=', userId)
      .where('repositories.owner_id', '=', ownerId)
      .execute();
    const issues = await findIssuesById(
      context.db,
      rows.map((row) => row.issue_id),
    );
    const actor = (await findUserById(context.db, userId)) ?? null;
    for (const issue of issues.values()) await unassign({ ...context, actor }, issue, userId);
  }
}
