import { isOrganizationOwner } from '../access/find-organization.ts';
import { findUser } from '../access/find-user.ts';
import { isOrganizationVisible } from '../access/organization-visibility.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { forbidden, notFound } from '../http/errors.ts';

/**
 * Whether a user may create repositories in an organization: its owners may, and the teams with that right. Not in a hidden one
 * when the user's token is limited to public resources.
 */
export async function mayCreateIn(context: Context, organization: User, user: User): Promise<boolean> {
  if (isOutOfReach(context, organization)) return false;
  const { db } = context;
  if (user.is_admin || (await isOrganizationOwner(db, organization.id, user.id))) return true;
  const team = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('teams.id')
    .where('team_members.organization_id', '=', organization.id)
    .where('team_members.user_id', '=', user.id)
    .where('teams.can_create_repositories', '=', true)
    .executeTakeFirst();
  return team !== undefined;
}

function isOutOfReach({ signIn }: Context, organization: User): boolean {
  return (signIn.token?.publicOnly ?? false) && organization.visibility !== 'public';
}

/**
 * The organization of this name, for the caller to create a repository in.
 * @throws HttpError 404 when the caller cannot see it, 403 when the caller may not create repositories in it
 */
export async function organizationToCreateIn(context: Context, name: string, actor: User): Promise<User> {
  const organization = await findUser(context.db, name);
  if (organization?.type !== 'organization' || !(await isOrganizationVisible(context, organization, actor))) throw notFound();
  if (isOutOfReach(context, organization)) throw notFound();
  if (!(await mayCreateIn(context, organization, actor))) {
    throw forbidden('User is not allowed to create repositories in this organization.');
  }
  return organization;
}
