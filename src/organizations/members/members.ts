import { isOrganizationMember, isOrganizationOwner } from '../../access/find-organization.ts';
import { isOrganizationVisible } from '../../access/organization-visibility.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { forbidden } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { lockTeams } from '../lock.ts';
import { removeFromTeams } from '../teams/members.ts';

/**
 * The members that the caller may see, each page by name, those who joined first on the first one: all for members and administrators, for a restricted member those of the same teams,
 * for others the public members; none of a hidden organization.
 * @param options.publicOnly only the public members; site administrators get all
 */
export async function listMembers(
  context: Context,
  organization: User,
  page: Page,
  options: { publicOnly?: boolean } = {},
): Promise<{ users: User[]; total: number }> {
  if (!(await isOrganizationVisible(context, organization, context.actor))) return { users: [], total: 0 };
  let members = context.db
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .where('organization_members.organization_id', '=', organization.id);
  const { actor } = context;
  const seesAll = actor !== null && (options.publicOnly ? actor.is_admin : await isPrivy(context, organization, actor));
  if (!seesAll) members = members.where('organization_members.is_public', '=', true);
  else if (actor.is_restricted && !actor.is_admin) {
    members = members.where((where) =>
      where.or([
        where('organization_members.is_public', '=', true),
        where('organization_members.user_id', 'in', (mates) =>
          mates
            .selectFrom('team_members as mate')
            .innerJoin('team_members as own', 'own.team_id', 'mate.team_id')
            .select('mate.user_id')
            .where('own.user_id', '=', actor.id)
            .where('own.organization_id', '=', organization.id),
        ),
      ]),
    );
  }
  const { total } = await members.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const users = await members
    .selectAll('users')
    .orderBy('organization_members.position')
    .orderBy('organization_members.user_id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { users: users.sort((a, b) => (a.name < b.name ? -1 : 1)), total: Number(total) };
}

/** Whether the caller may see all members: it is one of them, or a site administrator. */
export async function isPrivy({ db }: Context, organization: User, actor: User): Promise<boolean> {
  return actor.is_admin || (await isOrganizationMember(db, organization.id, actor.id));
}

/** Whether everybody who sees the organization may see the user's membership. */
export async function isPublicMember(context: Context, organization: User, user: User): Promise<boolean> {
  if (!(await isOrganizationVisible(context, organization, context.actor))) return false;
  const row = await context.db
    .selectFrom('organization_members')
    .select('is_public')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  return row?.is_public ?? false;
}

/**
 * Makes a membership public or private; does nothing for a user who is not a member.
 * @throws HttpError 403 for another user's membership, except for owners and site administrators
 */
export async function setMembershipPublic(context: Context, actor: User, organization: User, user: User, isPublic: boolean): Promise<void> {
  const allowed = user.id === actor.id || actor.is_admin || (await isOrganizationOwner(context.db, organization.id, actor.id));
  if (!allowed) throw forbidden('Cannot change member visibility');
  await context.db
    .updateTable('organization_members')
    .set({ is_public: isPublic })
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', user.id)
    .execute();
}

/**
 * Removes a member from the organization and all its teams; does nothing for a user who is not a member.
 * @throws HttpError 422 for the last owner
 */
export async function removeMember(context: Context, organization: Pick<User, 'id'>, user: User): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockTeams(context.db, organization.id);
    await removeFromTeams(context, organization.id, user);
  });
}
