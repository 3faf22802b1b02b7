import { repositoryAccess } from '../../access/repository-access.ts';
import { branchRule, isOfficialReviewer, pusherOf } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { Pull } from '../find.ts';

type Reviewed = Pick<Pull, 'base_branch' | 'issue'>;

/** Whether a user's reviews count towards the approvals that the base branch requires; without a rule, those of users who may write code do. */
export async function isOfficial(context: Context, { base_branch: branch, issue: { repository } }: Reviewed, user: User): Promise<boolean> {
  const access = await repositoryAccess(context, repository, user);
  const rule = await branchRule(context, repository, branch);
  if (!rule) return access.canWrite('code');
  return isOfficialReviewer(rule, await pusherOf(context, repository, user, access));
}

/** The same for a team that is requested as a reviewer; without a rule its request blocks nothing. */
export async function isOfficialTeam(
  context: Context,
  { base_branch: branch, issue: { repository } }: Reviewed,
  team: Team,
): Promise<boolean> {
  const rule = await branchRule(context, repository, branch);
  if (!rule) return false;
  if (rule.approvals_limited) return rule.approvals_team_ids.includes(team.id);
  if (team.access_level >= 3) return true;
  const unit = await context.db
    .selectFrom('team_units')
    .select('access_level')
    .where('team_id', '=', team.id)
    .where('unit', '=', 'code')
    .executeTakeFirst();
  return (unit?.access_level ?? 0) >= 2;
}

/**
 * Makes the latest decision of a reviewer, or request for one, count again when a later one was deleted. The caller holds the lock of the
 * issues.
 */
export async function restoreOfficial(context: Context, pull: Reviewed, reviewer: User): Promise<void> {
  if (!(await isOfficial(context, pull, reviewer))) return;
  const { db } = context;
  await db
    .updateTable('reviews')
    .set({ is_official: true })
    .where('id', '=', (reviews) =>
      reviews
        .selectFrom('reviews')
        .select((select) => select.fn.max('id').as('id'))
        .where('issue_id', '=', pull.issue.id)
        .where('reviewer_id', '=', reviewer.id)
        .where('type', 'in', ['approve', 'reject', 'request'])
        .where('original_author_id', '=', 0),
    )
    .execute();
}

/** Only the latest decision of a reviewer counts: no earlier one is official any more. The caller holds the lock of the issues. */
export async function clearOfficial({ db }: Pick<Context, 'db'>, issueId: number, reviewerId: number): Promise<void> {
  await db
    .updateTable('reviews')
    .set({ is_official: false })
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', reviewerId)
    .where('is_official', '=', true)
    .execute();
}
