import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { preparedIn } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { AccessLevel, UnitName } from '../database/tables/repositories.ts';
import type { Repository } from './find-repository.ts';

/** The rights of a user in a repository. */
export interface Rights {
  collaboration: AccessLevel;
  isMember: boolean;
  /** A row for each unit of each of the user's teams that have the repository. */
  teams: { level: AccessLevel; unit: UnitName | null; unitLevel: AccessLevel }[];
}

/** No rights beyond those of the public. */
export const NO_RIGHTS: Rights = { collaboration: 0, isMember: false, teams: [] };

/** The rights of a user in these repositories, in one query. */
export async function rightsIn(db: Db, repositories: readonly Repository[], user: User): Promise<(repository: Repository) => Rights> {
  const ids = repositories.map(({ id }) => id);
  const organizations = [...new Set(repositories.filter(({ owner }) => owner.type === 'organization').map(({ owner_id }) => owner_id))];
  const [first] = organizations;
  const rows =
    first === undefined
      ? await collaborationsIn(db, ids, user.id)
      : organizations.length === 1
        ? await rightsInOne(db, ids, first, user.id)
        : await rightsInAll(db, ids, organizations, user.id).execute();
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

const collaborationsIn = preparedIn((db, ids, userId: number) => collaborations(db, ids, userId), { isCached: true });
const rightsInOne = preparedIn((db, ids, organization: number, userId: number) => rightsInAll(db, ids, [organization], userId), {
  isCached: true,
});

function rightsInAll(db: Db, ids: readonly number[], organizations: readonly number[], userId: number) {
  const inAllRepositories = teamRights(db, organizations, userId).where('teams.includes_all_repositories', '=', true);
  const inSome = teamRights(db, organizations, userId)
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
    .where('team_repositories.repository_id', 'in', ids);
  return collaborations(db, ids, userId)
    .unionAll(memberships(db, organizations, userId))
    .unionAll(inAllRepositories)
    .unionAll(inSome);
}

function collaborations(db: Db, ids: readonly number[], userId: number) {
  return db
    .selectFrom('collaborations')
    .select([
      sql<string>`'collaboration'`.as('kind'),
      'repository_id as subject',
      'access_level as level',
      sql<string | null>`null`.as('unit'),
      sql<AccessLevel>`0`.as('unit_level'),
    ])
    .where('user_id', '=', userId)
    .where('repository_id', 'in', ids);
}

function memberships(db: Db, organizations: readonly number[], userId: number) {
  return db
    .selectFrom('organization_members')
    .select([
      sql<string>`'member'`.as('kind'),
      'organization_id as subject',
      sql<AccessLevel>`0`.as('level'),
      sql<string | null>`null`.as('unit'),
      sql<AccessLevel>`0`.as('unit_level'),
    ])
    .where('user_id', '=', userId)
    .where('organization_id', 'in', organizations);
}

/** A row for each unit of each team that the user is in. */
function teamRights(db: Db, organizations: readonly number[], userId: number) {
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
    .where('team_members.user_id', '=', userId)
    .where('team_members.organization_id', 'in', organizations);
}
