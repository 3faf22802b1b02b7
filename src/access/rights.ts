import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import type { AccessLevel, UnitName } from '../database/tables/repositories.ts';
import type { Repository } from './find-repository.ts';

/** What gives a user a right in a repository. */
export interface Rights {
  collaboration: AccessLevel;
  isMember: boolean;
  /** A row for each unit of each of the user's teams that has the repository. */
  teams: { level: AccessLevel; unit: UnitName | null; unitLevel: AccessLevel }[];
}

/** Nothing but what is open to everybody. */
export const NO_RIGHTS: Rights = { collaboration: 0, isMember: false, teams: [] };

/** Everything that gives a user a right in these repositories, in one query. */
export async function rightsIn(db: Db, repositories: readonly Repository[], user: User): Promise<(repository: Repository) => Rights> {
  const ids = repositories.map(({ id }) => id);
  const organizations = [...new Set(repositories.filter(({ owner }) => owner.type === 'organization').map(({ owner_id }) => owner_id))];
  const collaborations = db
    .selectFrom('collaborations')
    .select([
      sql<string>`'collaboration'`.as('kind'),
      'repository_id as subject',
      'access_level as level',
      sql<string | null>`null`.as('unit'),
      sql<AccessLevel>`0`.as('unit_level'),
    ])
    .where('user_id', '=', user.id)
    .where('repository_id', 'in', ids);
  const rows =
    organizations.length === 0
      ? await collaborations.execute()
      : await collaborations
          .unionAll(memberships(db, organizations, user))
          .unionAll(teamRights(db, organizations, user).where('teams.includes_all_repositories', '=', true))
          .unionAll(
            teamRights(db, organizations, user)
              .innerJoin('team_repositories', 'team_repositories.team_id', 'teams.id')
              .clearSelect()
              .select([
                sql<string>`'team'`.as('kind'),
                'team_repositories.repository_id as subject',
                'teams.access_level as level',
                'team_units.unit',
                sql<AccessLevel>`coalesce(team_units.access_level, 0)`.as('unit_level'),
              ])
              .where('teams.includes_all_repositories', '=', false)
              .where('team_repositories.repository_id', 'in', ids),
          )
          .execute();
  const bySubject = Map.groupBy(rows, (row) => `${row.kind} ${row.subject}`);
  const of = (kind: string, subject: number) => bySubject.get(`${kind} ${subject}`) ?? [];
  return ({ id, owner_id }) => ({
    collaboration: of('collaboration', id)[0]?.level ?? 0,
    isMember: of('member', owner_id).length > 0,
    teams: [...of('team of all', owner_id), ...of('team', id)].map((row) => ({
      level: row.level,
      unit: row.unit as UnitName | null,
      unitLevel: row.unit_level,
    })),
  });
}

function memberships(db: Db, organizations: readonly number[], user: User) {
  return db
    .selectFrom('organization_members')
    .select([
      sql<string>`'member'`.as('kind'),
      'organization_id as subject',
      sql<AccessLevel>`0`.as('level'),
      sql<string | null>`null`.as('unit'),
      sql<AccessLevel>`0`.as('unit_level'),
    ])
    .where('user_id', '=', user.id)
    .where('organization_id', 'in', organizations);
}

/** A row for each unit of each team that the user is in. */
function teamRights(db: Db, organizations: readonly number[], user: User) {
  return db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('team_units', 'team_units.team_id', 'teams.id')
    .select([
      sql<string>`'team of all'`.as('kind'),
      'teams.organization_id as subject',
      'teams.access_level as level',
      'team_units.unit',
      sql<AccessLevel>`coalesce(team_units.access_level, 0)`.as('unit_level'),
    ])
    .where('team_members.user_id', '=', user.id)
    .where('team_members.organization_id', 'in', organizations);
}
