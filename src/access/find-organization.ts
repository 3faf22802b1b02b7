import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Team } from '../database/tables/organizations.ts';
import type { AccessLevel } from '../database/tables/repositories.ts';

/** The team with this id and its organization. */
export async function findTeam(db: Db, id: number): Promise<{ team: Team; organization: User } | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const team = await db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst();
  if (!team) return undefined;
  const organization = await db.selectFrom('users').selectAll().where('id', '=', team.organization_id).executeTakeFirstOrThrow();
  return { team, organization };
}

/** The team of an organization with this name, case-insensitively. */
export async function findTeamByName(db: Db, organizationId: number, name: string): Promise<Team | undefined> {
  const teams = db.selectFrom('teams').selectAll().where('organization_id', '=', organizationId);
  return teams.where('lower_name', '=', name.toLowerCase()).executeTakeFirst();
}

/** Whether the user is in any team of the organization. */
export async function isOrganizationMember(db: Db, organizationId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user is in the owners' team of the organization. */
export function isOrganizationOwner(db: Db, organizationId: number, userId: number): Promise<boolean> {
  return isInTeamOfLevel(db, organizationId, userId, 4);
}

/** Whether the user is in an administrators' team or the owners' team of the organization. */
export function isOrganizationAdministrator(db: Db, organizationId: number, userId: number): Promise<boolean> {
  return isInTeamOfLevel(db, organizationId, userId, 3);
}

/** Whether any team of the user's in the organization has at least this level; 4, the owners', is the highest. */
async function isInTeamOfLevel(db: Db, organizationId: number, userId: number, level: AccessLevel): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('team_id')
    .where('team_members.organization_id', '=', organizationId)
    .where('team_members.user_id', '=', userId)
    .where('teams.access_level', '>=', level)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user is in this team. */
export async function isTeamMember(db: Db, teamId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the caller may know the teams of an organization: outsiders may not. */
export async function seesTeams({ db, actor }: Pick<Context, 'db' | 'actor'>, organization: User): Promise<boolean> {
  return actor !== null && (actor.is_admin || (await isOrganizationMember(db, organization.id, actor.id)));
}
