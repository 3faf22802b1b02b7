import { sql } from 'kysely';
import { type Context, inTransaction } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { RepositoryRow } from '../../database/tables/repositories.ts';
import { lockTeam, lockTeams } from '../lock.ts';
import { watchForTeam } from './watches.ts';

type RepositoryKey = Pick<RepositoryRow, 'id' | 'owner_id'>;

/** Whether the team has the repository. */
export async function teamHasRepository({ db }: Pick<Context, 'db'>, team: Team, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('team_repositories')
    .select('team_id')
    .where('team_id', '=', team.id)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a repository of the organization to a team; does nothing for one that it has. */
export async function addTeamRepository(context: Context, team: Team, repository: RepositoryKey): Promise<void> {
  if (repository.owner_id !== team.organization_id) throw new Error('the repository belongs to somebody else');
  await inTransaction(context, async (context) => {
    await insert(context, [await lockTeam(context.db, team)], repository);
  });
}

/** Removes a repository from a team; one that includes all keeps it. */
export async function removeTeamRepository(context: Context, team: Team, repository: RepositoryKey): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockTeams(db, team.organization_id);
    const removed = await db
      .deleteFrom('team_repositories')
      .where('team_id', '=', team.id)
      .where('repository_id', '=', repository.id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('teams').select('id').where('id', '=', team.id).where('includes_all_repositories', '=', true))),
      )
      .returning('team_id')
      .executeTakeFirst();
    if (!removed) return;
    await count(context, [team.id], -1);
    const members = await db.selectFrom('team_members').select('user_id').where('team_id', '=', team.id).execute();
    if (members.length === 0) return;
    const userIds = members.map(({ user_id }) => user_id);
    await context.events.emit(context, 'access.reduced', { ownerId: team.organization_id, userIds, repositoryId: repository.id });
  });
}

/**
 * Adds a new repository of an organization to every team that includes all. Called in the transaction
 * that creates or transfers it; does nothing for the repositories of people.
 */
export async function addToAllRepositoryTeams(context: Context, repository: RepositoryKey): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockTeams(db, repository.owner_id);
    const teams = await db
      .selectFrom('teams')
      .selectAll()
      .where('organization_id', '=', repository.owner_id)
      .where('includes_all_repositories', '=', true)
      .execute();
    await insert(context, teams, repository);
  });
}

/** Removes a repository from every team. Called in the transaction that deletes or transfers it. */
export async function removeFromAllTeams(context: Context, repository: RepositoryKey): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockTeams(context.db, repository.owner_id);
    const rows = await context.db.deleteFrom('team_repositories').where('repository_id', '=', repository.id).returning('team_id').execute();
    const teamIds = rows.map(({ team_id }) => team_id);
    await count(context, teamIds, -1);
  });
}

/** Adds every repository of its organization to a team. In the transaction that makes it include all. */
export async function addAllRepositories(context: Context, team: Team): Promise<void> {
  const added = await context.db
    .insertInto('team_repositories')
    .columns(['team_id', 'organization_id', 'repository_id'])
    .expression((select) =>
      select
        .selectFrom('repositories')
        .select([
          sql<number>`${sql.lit(team.id)}`.as('team_id'),
          'repositories.owner_id as organization_id',
          'repositories.id as repository_id',
        ])
        .where('owner_id', '=', team.organization_id)
        .where('state', '!=', 'deleting'),
    )
    .onConflict((conflict) => conflict.columns(['team_id', 'repository_id']).doNothing())
    .returning('repository_id')
    .execute();
  await count(context, [team.id], added.length);
  await watchForTeam(context, team.id);
}

async function insert(context: Context, teams: readonly Team[], repository: RepositoryKey): Promise<void> {
  if (teams.length === 0) return;
  const added = await context.db
    .insertInto('team_repositories')
    .values(teams.map((team) => ({ team_id: team.id, organization_id: team.organization_id, repository_id: repository.id })))
    .onConflict((conflict) => conflict.columns(['team_id', 'repository_id']).doNothing())
    .returning('team_id')
    .execute();
  const teamIds = added.map(({ team_id }) => team_id);
  await count(context, teamIds, 1);
  for (const teamId of teamIds) await watchForTeam(context, teamId, { repositoryId: repository.id });
}

async function count({ db }: Context, teamIds: readonly number[], by: number): Promise<void> {
  if (teamIds.length === 0 || by === 0) return;
  await db
    .updateTable('teams')
    .set((teams) => ({ repos_count: teams('repos_count', '+', by) }))
    .where('id', 'in', teamIds)
    .execute();
}
