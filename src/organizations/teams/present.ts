import { findUsersById } from '../../access/find-user.ts';
import { mapInSlices } from '../../concurrency/time-slice.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team as TeamRow } from '../../database/tables/organizations.ts';
import type { AccessLevel, UnitName } from '../../database/tables/repositories.ts';
import { only } from '../../http/only.ts';
import { presentOnce } from '../../http/present-once.ts';
import type { Shape } from '../../http/schema.ts';
import { presentOrganization } from '../present.ts';
import type { Team } from './schema.ts';
import { levelName, TEAM_UNITS, unitKey } from './units.ts';

/** Teams whose units are read together: a repository may have 10,000. */
const READ_AT_ONCE = 100;

type WireTeam = Shape<typeof Team>;

/** A team on the wire, with its organization by default. */
export async function presentTeam(context: Context, team: TeamRow, options: { organization?: boolean } = {}): Promise<WireTeam> {
  return only(await presentTeams(context, [team], { organizations: options.organization ?? true }));
}

/** Teams on the wire, in one query for the units of all and one for their organizations if those are included. */
export async function presentTeams(
  context: Context,
  teams: readonly TeamRow[],
  options: { organizations?: boolean } = {},
): Promise<WireTeam[]> {
  const units = await unitsOf(context, teams);
  const organizations = options.organizations
    ? await findUsersById(
        context.db,
        teams.map((team) => team.organization_id),
      )
    : new Map();
  const organization = presentOnce((row: User) => presentOrganization(context, row));
  return await mapInSlices(teams, (team) => {
    const owner = organizations.get(team.organization_id);
    const levels = team.access_level >= 3 ? TEAM_UNITS.map((unit) => [unit, team.access_level] as const) : (units.get(team.id) ?? []);
    return {
      id: team.id,
      name: team.name,
      description: team.description,
      organization: owner ? organization(owner) : null,
      includes_all_repositories: team.includes_all_repositories,
      permission: levelName(team.access_level) as WireTeam['permission'],
      units: levels.map(([unit]) => unitKey(unit)),
      units_map: Object.fromEntries(levels.map(([unit, level]) => [unitKey(unit), levelName(level)])),
      can_create_org_repo: team.can_create_repositories,
    };
  });
}

async function unitsOf({ db }: Context, teams: readonly TeamRow[]): Promise<Map<number, [UnitName, AccessLevel][]>> {
  const ids = teams.filter((team) => team.access_level < 3).map((team) => team.id);
  const units = new Map<number, [UnitName, AccessLevel][]>();
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    const rows = await db.selectFrom('team_units').selectAll().where('team_id', 'in', some).orderBy('unit').execute();
    for (const { team_id: id, unit, access_level: level } of rows) units.set(id, [...(units.get(id) ?? []), [unit, level]]);
  }
  return units;
}
