import { isOrganizationMember } from '../access/find-organization.ts';
import { isOrganizationVisible } from '../access/organization-visibility.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { Shape } from '../http/schema.ts';
import type { OrganizationPermissions } from './schema.ts';

/**
 * The permissions of a user in an organization, by its teams. Outsiders see only public members: any other member has no rights in their
 * response.
 * @throws HttpError 404 for a hidden organization, 403 for one that is not public with a token limited to public resources
 */
export async function permissionsIn(context: Context, organization: User, user: User): Promise<Shape<typeof OrganizationPermissions>> {
  const { db, actor, signIn } = context;
  if (!(await isOrganizationVisible(context, organization, actor))) throw notFound(null, 'HasOrgOrUserVisible');
  if (signIn.token?.publicOnly && organization.visibility !== 'public') throw forbidden('token scope is limited to public orgs');
  const teams = (await mayKnow(context, organization, user))
    ? await db
        .selectFrom('team_members')
        .innerJoin('teams', 'teams.id', 'team_members.team_id')
        .select(['teams.access_level', 'teams.can_create_repositories'])
        .where('team_members.organization_id', '=', organization.id)
        .where('team_members.user_id', '=', user.id)
        .execute()
    : [];
  const level = Math.max(0, ...teams.map((team) => team.access_level));
  return {
    is_owner: level >= 4,
    is_admin: level >= 3,
    can_write: level >= 2,
    can_read: level >= 1,
    can_create_repository: teams.some((team) => team.can_create_repositories),
  };
}

async function mayKnow({ db, actor }: Context, organization: User, user: User): Promise<boolean> {
  if (!actor) return false;
  if (actor.is_admin || actor.id === user.id || (await isOrganizationMember(db, organization.id, actor.id))) return true;
  const row = await db
    .selectFrom('organization_members')
    .select('is_public')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  return row?.is_public ?? false;
}
