import { checkAccountName, checkEmail } from '../accounts/names.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User, Visibility } from '../database/tables/accounts.ts';
import { forbidden, unprocessable } from '../http/errors.ts';
import { nextPosition } from './members/next-position.ts';
import { allUnits } from './teams/units.ts';

/** The fields of a new organization; the defaults are empty or the instance's settings. */
export interface OrganizationOptions {
  name: string;
  fullName?: string;
  email?: string;
  description?: string;
  website?: string;
  location?: string;
  visibility?: Visibility;
  repoAdminChangeTeamAccess?: boolean;
}

/** The team that every organization has. */
export const OWNERS_TEAM = 'Owners';

/**
 * Creates an organization with its owners' team and `owner` in it.
 * @throws HttpError 403 when `owner` may not create any, 422 for a name or e-mail address that is not allowed or taken
 */
export async function createOrganization(context: Context, owner: User, options: OrganizationOptions): Promise<User> {
  const { settings } = context;
  if (!canCreateOrganizations(context, owner)) throw forbidden(`user is not allowed to create organizations [name: ${owner.name}]`);
  if (owner.type !== 'individual') throw unprocessable('an organization cannot own an organization');
  checkAccountName(settings, options.name);
  if (options.email) checkEmail(options.email);
  return inTransaction(context, async (context) => {
    const { db } = context;
    const time = now();
    const lowerName = options.name.toLowerCase();
    const organization = await db
      .insertInto('users')
      .values({
        type: 'organization',
        name: options.name,
        lower_name: lowerName,
        full_name: options.fullName ?? '',
        email: options.email ?? '',
        description: options.description ?? '',
        website: options.website ?? '',
        location: options.location ?? '',
        visibility: options.visibility ?? settings.organizations.defaultVisibility,
        repo_admin_change_team_access: options.repoAdminChangeTeamAccess ?? false,
        created_at: time,
        updated_at: time,
      })
      // The index decides between two concurrent requests.
      .onConflict((conflict) => conflict.column('lower_name').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!organization) throw unprocessable(`user already exists [name: ${options.name}]`);
    await db.deleteFrom('user_redirects').where('lower_name', '=', lowerName).execute();
    await createOwnersTeam(context, organization, owner);
    context.act?.about({ type: 'organization', id: organization.id, name: organization.name, ownerId: organization.id });
    return organization;
  });
}

/** Whether a user may create organizations. */
export function canCreateOrganizations({ settings }: Pick<Context, 'settings'>, user: User): boolean {
  return user.is_admin || (user.allow_create_organization && !settings.organizations.createByAdminsOnly);
}

async function createOwnersTeam({ db, settings }: Context, organization: User, owner: User): Promise<void> {
  const team = await db
    .insertInto('teams')
    .values({
      organization_id: organization.id,
      name: OWNERS_TEAM,
      lower_name: OWNERS_TEAM.toLowerCase(),
      access_level: 4,
      includes_all_repositories: true,
      can_create_repositories: true,
      members_count: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('team_units')
    .values([...allUnits(4)].map(([unit, access_level]) => ({ team_id: team.id, unit, access_level })))
    .execute();
  await db.insertInto('team_members').values({ team_id: team.id, organization_id: organization.id, user_id: owner.id }).execute();
  await db
    .insertInto('organization_members')
    .values({
      organization_id: organization.id,
      user_id: owner.id,
      is_public: settings.organizations.defaultMemberVisible,
      position: nextPosition(organization.id),
    })
    .execute();
}
