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
    await recheckAccess(context, payload, links, async (repository, linked) => {
      for (const isPull of [false, true]) {
        const blind = linked.filter(({ access }) => !canReadIssue(access, { is_pull: isPull })).map(({ user }) => user.id);
        if (blind.length > 0) await endFor(context, table, blind, { repositoryId: repository.id, isPull });
      }
    });
  }
}

interface Kind {
  readonly repositoryId: number;
  readonly isPull: boolean;
}

async function endFor(
  { db }: Context,
  table: (typeof TABLES)[number],
  userIds: readonly number[],
  { repositoryId, isPull }: Kind,
): Promise<void> {
  await db
    .deleteFrom(table)
    .where('user_id', 'in', userIds)
    .where((where) =>
      where.exists(
        where
          .selectFrom('issues')
          .select('issues.id')
          .whereRef('issues.id', '=', `${table}.issue_id`)
          .where('issues.repository_id', '=', repositoryId)
          .where('issues.is_pull', '=', isPull),
      ),
    )
    .execute();
}
