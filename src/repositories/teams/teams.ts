import { sql } from 'kysely';
import { findTeamByName } from '../../access/find-organization.ts';
import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import { forbidden, HttpError, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { addTeamRepository, removeTeamRepository, teamHasRepository } from '../../organizations/teams/repositories.ts';

/** @throws HttpError 405 for the repositories of people */
export function requireOrganization({ owner }: Repository): void {
  if (owner.type !== 'organization') throw new HttpError(405, 'repo is not owned by an organization');
}

/** Whether the caller may add teams to the repository: in some organizations only owners may. */
export function mayChangeTeams({ owner }: Repository, access: RepositoryAccess): boolean {
  return owner.repo_admin_change_team_access || access.isOwner;
}

function requireTeamChange(repository: Repository, access: RepositoryAccess): void {
  requireOrganization(repository);
  if (!mayChangeTeams(repository, access)) throw forbidden('user is nor repo admin nor owner');
}

/** @throws HttpError 404 */
export async function loadTeam({ db }: Context, repository: Repository, name: string): Promise<Team> {
  const team = await findTeamByName(db, repository.owner_id, name);
  if (!team) throw noTeam(repository, name);
  return team;
}

/** The error that there is no team of this name that the caller may see. */
export function noTeam({ owner_id }: Repository, name: string): HttpError {
  return notFoundBecause(`team does not exist [org_id ${owner_id}, team_id 0, name: ${name}]`);
}

/** The teams that have a repository, the owners first. */
export function teamsOfRepository({ db }: Pick<Context, 'db'>, repository: Repository): Promise<Team[]> {
  return db
    .selectFrom('team_repositories')
    .innerJoin('teams', 'teams.id', 'team_repositories.team_id')
    .selectAll('teams')
    .where('team_repositories.repository_id', '=', repository.id)
    .orderBy(sql`case when teams.lower_name = 'owners' then '' else teams.name end`)
    .execute();
}

/** @throws HttpError 403 where only owners may, 404, 405 for the repositories of people, 422 for a team that has it already */
export async function giveToTeam(context: Context, repository: Repository, access: RepositoryAccess, name: string): Promise<void> {
  requireTeamChange(repository, access);
  const team = await loadTeam(context, repository, name);
  if (await teamHasRepository(context, team, repository.id)) throw unprocessable(`team '${team.name}' is already added to repo`);
  await addTeamRepository(context, team, repository);
}

/** @throws HttpError as {@link giveToTeam}, 422 for a team that does not have it */
export async function takeFromTeam(context: Context, repository: Repository, access: RepositoryAccess, name: string): Promise<void> {
  requireTeamChange(repository, access);
  const team = await loadTeam(context, repository, name);
  if (!(await teamHasRepository(context, team, repository.id))) throw unprocessable(`team '${team.name}' was not added to repo`);
  await removeTeamRepository(context, team, repository);
}
