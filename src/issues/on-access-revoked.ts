import type { RepositoryAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { StoredEvent } from '../events/events.ts';
import { recheckAccess } from '../repositories/recheck-access.ts';
import { canReadIssue } from './find.ts';

const TABLES = ['issue_assignees', 'issue_watches', 'stopwatches'] as const;

/**
 * Ends the assignments, subscriptions and stopwatches of users who no longer see the issues. There is no actor, so no timeline records it.
 */
export async function endRevokedInvolvement({ payload }: StoredEvent<'access.reduced'>, context: Context): Promise<void> {
  for (const table of TABLES) {
    const links = context.db
      .selectFrom(table)
      .innerJoin('issues', 'issues.id', `${table}.issue_id`)
      .select([`${table}.user_id as user_id`, 'issues.repository_id as repository_id']);
    await recheckAccess(context, payload, links, async (user, repository, access) => {
      if (access.canRead('issues') && access.canRead('pulls')) return;
      const ids = await hiddenIssues(context, table, user.id, repository.id, access);
      if (ids.length === 0) return;
      await context.db.deleteFrom(table).where('user_id', '=', user.id).where('issue_id', 'in', ids).execute();
    });
  }
}

async function hiddenIssues(
  { db }: Context,
  table: (typeof TABLES)[number],
  userId: number,
  repositoryId: number,
  access: RepositoryAccess,
): Promise<number[]> {
  const rows = await db
    .selectFrom(table)
    .innerJoin('issues', 'issues.id', `${table}.issue_id`)
    .select(['issues.id', 'issues.is_pull'])
    .where(`${table}.user_id`, '=', userId)
    .where('issues.repository_id', '=', repositoryId)
    .execute();
  return rows.filter((row) => !canReadIssue(access, row)).map((row) => row.id);
}
