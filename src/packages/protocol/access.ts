import { findRepository } from '../../access/find-repository.ts';
import { isOrganizationVisible } from '../../access/organization-visibility.ts';
import type { Context, JobGrant } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { AccessLevel } from '../../database/tables/repositories.ts';

/**
 * The caller's access to an owner's packages: 0 nothing, 1 read, 2 write, 4 own. In an organization the caller's teams decide, by
 * their unit `packages`; everybody who sees the organization can read. The token of a job reads what everybody may, and the
 * packages of its repository's owner if the workflow allows it; for changes see {@link publishAccess}.
 */
export async function packageAccess(context: Context, owner: User): Promise<AccessLevel> {
  const { actor, settings, signIn } = context;
  if (signIn.job) return await jobAccess(context, owner, signIn.job);
  if (!actor && settings.access.requireSignInView) return 0;
  if (actor?.is_admin) return 4;
  if (owner.type === 'organization') {
    const level = actor ? await teamLevel(context, owner, actor) : 0;
    if (level > 0) return level;
    return (await isOrganizationVisible(context, owner, actor)) ? 1 : 0;
  }
  if (actor?.id === owner.id) return 4;
  if (owner.visibility === 'public') return 1;
  return owner.visibility === 'limited' && actor && !actor.is_restricted ? 1 : 0;
}

/**
 * The access for adding packages and versions: there the token of a job may write, if the workflow allows it, in the packages of its
 * repository's owner: only in those of its repository, and new ones, which are linked to it by `ensurePackage`.
 */
export async function publishAccess(context: Context, owner: User): Promise<AccessLevel> {
  const { job } = context.signIn;
  const mayWrite = job && (job.levels.get('packages') ?? 0) >= 2;
  if (mayWrite && (await findRepository(context.db, job.repositoryId))?.owner_id === owner.id) return 2;
  return await packageAccess(context, owner);
}

async function jobAccess({ db, settings }: Context, owner: User, { repositoryId, levels }: JobGrant): Promise<AccessLevel> {
  if (owner.visibility === 'public' && !settings.access.requireSignInView) return 1;
  if ((levels.get('packages') ?? 0) < 1) return 0;
  return (await findRepository(db, repositoryId))?.owner_id === owner.id ? 1 : 0;
}

/** The highest level that a team of the organization gives in the unit. */
async function teamLevel({ db }: Context, organization: User, actor: User): Promise<AccessLevel> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('team_units', (join) => join.onRef('team_units.team_id', '=', 'teams.id').on('team_units.unit', '=', 'packages'))
    .select(['teams.access_level as whole', 'team_units.access_level as unit'])
    .where('team_members.organization_id', '=', organization.id)
    .where('team_members.user_id', '=', actor.id)
    .execute();
  return Math.max(0, ...rows.flatMap(({ whole, unit }) => [whole, unit ?? 0])) as AccessLevel;
}
