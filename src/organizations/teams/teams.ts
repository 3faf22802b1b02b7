import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team, TeamUpdate } from '../../database/tables/organizations.ts';
import { unprocessable } from '../../http/errors.ts';
import { lockTeam, lockTeams } from '../lock.ts';
import { endCollaborations } from '../members/end-collaborations.ts';
import { addAllRepositories } from './repositories.ts';
import { allUnits, type TeamUnits, unitsFromKeys, unitsFromMap } from './units.ts';
import { unwatchOrganization } from './watches.ts';

/** The fields of a team; for an existing one, missing fields stay. */
export interface TeamOptions {
  name?: string | undefined;
  description?: string | undefined;
  includesAllRepositories?: boolean | undefined;
  canCreateRepositories?: boolean | undefined;
  /** `admin` for whole repositories; `read` and `write` are the level of the units in `units`. Any other word gives no access. */
  permission?: string | undefined;
  units?: readonly string[] | undefined;
  /** Takes precedence over `units`. */
  unitsMap?: Readonly<Record<string, string>> | undefined;
}

/** The level of the whole team, and its permissions by unit. */
interface TeamAccess {
  level: 0 | 3;
  units: TeamUnits;
}

/**
 * Creates a team.
 * @throws HttpError 422 for a name that is taken or reserved, or when a team that needs units has none
 */
export async function createTeam(context: Context, organization: User, options: TeamOptions & { name: string }): Promise<Team> {
  const access = accessFrom(options);
  if (!access) throw unprocessable('units permission should not be empty');
  return inTransaction(context, async (context) => {
    const { db } = context;
    await lockTeams(db, organization.id);
    await checkName(context, organization.id, options.name);
    const team = await db
      .insertInto('teams')
      .values({
        organization_id: organization.id,
        name: options.name,
        lower_name: options.name.toLowerCase(),
        description: options.description ?? '',
        access_level: access.level,
        includes_all_repositories: options.includesAllRepositories ?? false,
        can_create_repositories: options.canCreateRepositories ?? false,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await setUnits(context, team.id, access.units);
    if (team.includes_all_repositories) await addAllRepositories(context, team);
    return team;
  });
}

/**
 * Changes a team. The owners' team keeps its name and all rights, whatever is requested.
 * @throws HttpError 422 for a name that is taken, reserved or cannot be changed
 */
export async function editTeam(context: Context, team: Team, options: TeamOptions): Promise<Team> {
  return inTransaction(context, async (context) => {
    const { db } = context;
    const current = await lockTeam(db, team);
    const isOwners = current.access_level === 4;
    const access = isOwners ? undefined : accessFrom(options, current);
    const changes: TeamUpdate = {};
    if (options.name && options.name !== current.name) {
      if (isOwners) throw unprocessable('the team of owners cannot be renamed');
      await checkName(context, team.organization_id, options.name, team.id);
      changes.name = options.name;
      changes.lower_name = options.name.toLowerCase();
    }
    if (options.description !== undefined) changes.description = options.description;
    if (options.canCreateRepositories !== undefined) changes.can_create_repositories = isOwners || options.canCreateRepositories;
    if (options.includesAllRepositories !== undefined && !isOwners) changes.includes_all_repositories = options.includesAllRepositories;
    if (access) changes.access_level = access.level;
    if (Object.keys(changes).length > 0) await db.updateTable('teams').set(changes).where('id', '=', team.id).execute();
    if (access) {
      await setUnits(context, team.id, access.units);
      await emitReduced(context, team);
    }
    if (changes.includes_all_repositories) await addAllRepositories(context, team);
    return db.selectFrom('teams').selectAll().where('id', '=', team.id).executeTakeFirstOrThrow();
  });
}

/**
 * Deletes a team; members of no other team leave the organization with it.
 * @throws HttpError 422 for the owners' team
 */
export async function deleteTeam(context: Context, team: Team): Promise<void> {
  if (team.access_level === 4) throw unprocessable('the team of owners cannot be deleted');
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockTeam(db, team);
    await emitReduced(context, team);
    await db.deleteFrom('teams').where('id', '=', team.id).execute();
    const leaving = await db
      .deleteFrom('organization_members')
      .where('organization_id', '=', team.organization_id)
      .where('user_id', 'not in', (members) =>
        members.selectFrom('team_members').select('user_id').where('organization_id', '=', team.organization_id),
      )
      .returning('user_id')
      .execute();
    const leavers = leaving.map(({ user_id }) => user_id);
    await unwatchOrganization(context, team.organization_id, leavers);
    await endCollaborations(db, team.organization_id, leavers);
  });
}

/** The access in the options; undefined when they do not change that of `team`. */
function accessFrom({ permission = '', units = [], unitsMap = {} }: TeamOptions, team?: Team): TeamAccess | undefined {
  if (permission === 'admin' || (permission === '' && team?.access_level === 3)) {
    return team?.access_level === 3 ? undefined : { level: 3, units: allUnits(3) };
  }
  const level = permission === 'write' ? 2 : permission === 'read' ? 1 : 0;
  const given = Object.keys(unitsMap).length > 0 ? unitsFromMap(unitsMap) : unitsFromKeys(units, level);
  if (given.size > 0) return { level: 0, units: given };
  // A team that is not an administrator any more keeps the units, at the requested level.
  return team?.access_level === 3 ? { level: 0, units: allUnits(level) } : undefined;
}

async function setUnits({ db }: Context, teamId: number, units: TeamUnits): Promise<void> {
  await db.deleteFrom('team_units').where('team_id', '=', teamId).execute();
  if (units.size === 0) return;
  await db
    .insertInto('team_units')
    .values([...units].map(([unit, access_level]) => ({ team_id: teamId, unit, access_level })))
    .execute();
}

async function checkName({ db }: Context, organizationId: number, name: string, except = 0): Promise<void> {
  // The path of the page for new teams.
  if (name === 'new') throw unprocessable(`name is reserved [name: ${name}]`);
  const lowerName = name.toLowerCase();
  const same = await db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('lower_name', '=', lowerName)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (same) throw unprocessable(`team already exists [org_id: ${organizationId}, name: ${lowerName}]`);
}

async function emitReduced(context: Context, team: Team): Promise<void> {
  const members = await context.db.selectFrom('team_members').select('user_id').where('team_id', '=', team.id).execute();
  if (members.length === 0) return;
  await context.events.emit(context, 'access.reduced', {
    ownerId: team.organization_id,
    userIds: members.map(({ user_id }) => user_id),
  });
}
