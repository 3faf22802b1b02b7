import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { preparedIn } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { UnitName } from '../database/tables/repositories.ts';
import type { Repository } from './find-repository.ts';
import { accessWith, type RepositoryAccess } from './repository-access.ts';
import { NO_RIGHTS, type Rights } from './rights.ts';

/** The access of several users to one repository, by their ids, in as many queries as for one. */
export async function accessOfUsers(
  context: Pick<Context, 'db' | 'settings'>,
  repository: Repository,
  users: readonly User[],
): Promise<Map<number, RepositoryAccess>> {
  const others = users.filter((user) => !user.is_admin && user.id !== repository.owner_id).map(({ id }) => id);
  const rights = others.length > 0 ? await rightsOf(context.db, repository, others) : new Map<number, Rights>();
  return new Map(users.map((user) => [user.id, accessWith(context, repository, user, rights.get(user.id) ?? NO_RIGHTS)]));
}

async function rightsOf(db: Db, repository: Repository, userIds: readonly number[]): Promise<Map<number, Rights>> {
  const { id, owner } = repository;
  const rights = new Map<number, Rights>(userIds.map((userId) => [userId, { ...NO_RIGHTS, teams: [] }]));
  const grant = (userId: number, change: (rights: Rights) => void) => {
    const own = rights.get(userId);
    if (own) change(own);
  };
  for (const row of await collaborationsOf(db, userIds, id)) {
    grant(row.user_id, (own) => {
      own.collaboration = row.access_level;
    });
  }
  if (owner.type !== 'organization') return rights;
  for (const row of await membersOf(db, userIds, owner.id)) {
    grant(row.user_id, (own) => {
      own.isMember = true;
    });
  }
  for (const row of await teamRights(db, userIds, owner.id, id)) {
    const team = { level: row.access_level, unit: row.unit as UnitName | null, unitLevel: row.unit_level ?? 0 };
    grant(row.user_id, (own) => own.teams.push(team));
  }
  return rights;
}

const collaborationsOf = preparedIn((db, userIds, repositoryId: number) =>
  db
    .selectFrom('collaborations')
    .select(['user_id', 'access_level'])
    .where('repository_id', '=', repositoryId)
    .where('user_id', 'in', userIds),
);

const membersOf = preparedIn((db, userIds, organizationId: number) =>
  db.selectFrom('organization_members').select('user_id').where('organization_id', '=', organizationId).where('user_id', 'in', userIds),
);

/** A row for each unit of each team that has the repository and one of the users. */
const teamRights = preparedIn((db, userIds, organizationId: number, repositoryId: number) =>
  db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('team_units', 'team_units.team_id', 'teams.id')
    .select(['team_members.user_id', 'teams.access_level', 'team_units.unit', 'team_units.access_level as unit_level'])
    .where('team_members.organization_id', '=', organizationId)
    .where('team_members.user_id', 'in', userIds)
    .where((where) =>
      where.or([
        where('teams.includes_all_repositories', '=', true),
        where.exists(
          where
            .selectFrom('team_repositories')
            .select('team_repositories.team_id')
            .whereRef('team_repositories.team_id', '=', 'teams.id')
            .where('team_repositories.repository_id', '=', repositoryId),
        ),
      ]),
    ),
);
