import { findUserById } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import type { Events } from '../events/events.ts';
import { removeMember } from './members/members.ts';
import { deleteOrganization } from './organizations.ts';

/**
 * Removes an account that is being purged from its organizations. An organization without another owner is deleted with everything
 * that it owns.
 */
export async function leaveOrganizations({ userId }: Events['user.purging'], context: Context): Promise<void> {
  const { db } = context;
  const user = await findUserById(db, userId);
  if (!user) return;
  const organizations = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', (ids) => ids.selectFrom('organization_members').select('organization_id').where('user_id', '=', userId))
    .orderBy('id')
    .execute();
  for (const organization of organizations) {
    if (await isOnlyOwner(context, organization.id, userId)) await deleteOrganization(context, organization, { purge: true });
    else await removeMember(context, organization, user);
  }
}

async function isOnlyOwner({ db }: Context, organizationId: number, userId: number): Promise<boolean> {
  const team = await db
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .select('teams.members_count')
    .where('teams.organization_id', '=', organizationId)
    .where('teams.access_level', '=', 4)
    .where('team_members.user_id', '=', userId)
    .executeTakeFirst();
  return team?.members_count === 1;
}
