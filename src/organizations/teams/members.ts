import { isBlocked } from '../../accounts/blocks/blocked.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team } from '../../database/tables/organizations.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { lockTeam, lockTeams } from '../lock.ts';
import { endCollaborations } from '../members/end-collaborations.ts';
import { nextPosition } from '../members/next-position.ts';
import { unwatchOrganization, watchForTeam } from './watches.ts';

/** The members of a team by full name, then by name. */
export async function listTeamMembers({ db }: Context, team: Team, page: Page): Promise<{ users: User[]; total: number }> {
  const users = await db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .selectAll('users')
    .where('team_members.team_id', '=', team.id)
    .orderBy('users.full_name')
    .orderBy('users.name')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { users, total: team.members_count };
}

/**
 * Adds a user to a team, and so to its organization; does nothing for a member of it.
 * @throws HttpError 403 for a user whom the organization has blocked or who has blocked the caller, 422 for an organization
 */
export async function addTeamMember(context: Context, team: Team, user: User): Promise<void> {
  if (user.type !== 'individual') throw unprocessable('an organization cannot be a member of a team');
  const { actor } = context;
  const isKeptOut = await isBlocked(context.db, team.organization_id, user);
  if (isKeptOut || (actor && (await isBlocked(context.db, user.id, actor)))) throw forbidden('user is blocked');
  await inTransaction(context, async (context) => {
    const { db, settings } = context;
    await lockTeam(db, team);
    const membership = { organization_id: team.organization_id, user_id: user.id };
    const added = await db
      .insertInto('team_members')
      .values({ team_id: team.id, ...membership })
      .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing())
      .returning('team_id')
      .executeTakeFirst();
    if (!added) return;
    await db
      .updateTable('teams')
      .set((teams) => ({ members_count: teams('members_count', '+', 1) }))
      .where('id', '=', team.id)
      .execute();
    await db
      .insertInto('organization_members')
      .values({ ...membership, is_public: settings.organizations.defaultMemberVisible, position: nextPosition(team.organization_id) })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
      .execute();
    await watchForTeam(context, team.id, { userId: user.id });
  });
}

/**
 * Removes a user from a team, and with the last team from the organization; does nothing for a user who is not in it.
 * @throws HttpError 422 for the last owner
 */
export async function removeTeamMember(context: Context, team: Pick<Team, 'id' | 'organization_id'>, user: User): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockTeams(context.db, team.organization_id);
    await removeFromTeams(context, team.organization_id, user, team.id);
  });
}

/**
 * Removes a user from one team, or from all of them. The caller holds the lock of the teams.
 * @throws HttpError 422 for the last owner
 */
export async function removeFromTeams(context: Context, organizationId: number, user: User, teamId?: number): Promise<void> {
  const { db } = context;
  const left = await db
    .deleteFrom('team_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', user.id)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId ?? 0))
    .returning('team_id')
    .execute();
  if (left.length > 0) {
    const counted = await db
      .updateTable('teams')
      .set((teams) => ({ members_count: teams('members_count', '-', 1) }))
      .where(
        'id',
        'in',
        left.map(({ team_id }) => team_id),
      )
      .returning(['access_level', 'members_count'])
      .execute();
    if (counted.some((team) => team.access_level === 4 && team.members_count === 0)) {
      throw unprocessable(`user is the last member of owner team [uid: ${user.id}]`);
    }
    await context.events.emit(context, 'access.reduced', { ownerId: organizationId, userIds: [user.id] });
  }
  const leaving = await db
    .deleteFrom('organization_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', user.id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('team_members').select('team_id').where('organization_id', '=', organizationId).where('user_id', '=', user.id)),
      ),
    )
    .returning('user_id')
    .execute();
  if (leaving.length === 0) return;
  // A removed member also stops watching the teams' repositories.
  const teamIds = teamId === undefined ? left.map(({ team_id }) => team_id) : [];
  await unwatchOrganization(context, organizationId, [user.id], teamIds);
  await endCollaborations(db, organizationId, [user.id]);
}
