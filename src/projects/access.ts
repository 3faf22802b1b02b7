import { isOrganizationMember } from '../access/find-organization.ts';
import type { Repository } from '../access/find-repository.ts';
import { type RepositoryAccess, repositoryAccess } from '../access/repository-access.ts';
import { isUserVisible } from '../access/user-visibility.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { AccessLevel } from '../database/tables/repositories.ts';
import { isUnitOffered } from '../repositories/units.ts';
import type { ProjectOwner } from './find.ts';

/** Whether a repository shows its own boards, or those of its owner. */
export function showsProjects({ units }: Repository, whose: 'repo' | 'owner'): boolean {
  const mode = units.projects?.mode;
  return mode !== undefined && (mode === whose || mode === 'all' || mode === '');
}

/** The caller's access to boards of a location: 0 none, as if they did not exist; 1 read, 2 write. */
export async function projectLevel(context: Context, owner: ProjectOwner, access?: RepositoryAccess): Promise<AccessLevel> {
  if (!isUnitOffered(context.settings, 'projects')) return 0;
  if ('account' in owner) return accountLevel(context, owner.account);
  if (!showsProjects(owner.repository, 'repo')) return 0;
  return (access ?? (await repositoryAccess(context, owner.repository, context.actor))).unitLevel('projects');
}

/** In an organization the caller's teams decide, by their unit; who is in none reads the boards of a public one. */
async function accountLevel({ db, actor }: Context, account: User): Promise<AccessLevel> {
  if (actor?.is_admin) return 4;
  if (account.type !== 'organization') {
    if (actor?.id === account.id) return 4;
    return (await isUserVisible(db, account, actor)) ? 1 : 0;
  }
  if (actor && (await isOrganizationMember(db, account.id, actor.id))) return teamLevel({ db }, account, actor);
  return account.visibility === 'public' ? 1 : 0;
}

async function teamLevel({ db }: Pick<Context, 'db'>, organization: User, actor: User): Promise<AccessLevel> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('team_units', (join) => join.onRef('team_units.team_id', '=', 'teams.id').on('team_units.unit', '=', 'projects'))
    .select(['teams.access_level as whole', 'team_units.access_level as unit'])
    .where('team_members.organization_id', '=', organization.id)
    .where('team_members.user_id', '=', actor.id)
    .execute();
  // Teams of administrators have no levels of units that differ.
  return Math.max(0, ...rows.map(({ whole, unit }) => (whole >= 3 ? whole : (unit ?? 0)))) as AccessLevel;
}
