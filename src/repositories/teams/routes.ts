import { sql } from 'kysely';
import { seesTeams } from '../../access/find-organization.ts';
import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { anyRead, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { Team as TeamRow } from '../../database/tables/organizations.ts';
import { forbidden, HttpError, notFound, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentTeam, presentTeams } from '../../organizations/teams/present.ts';
import { addTeamRepository, removeTeamRepository, teamHasRepository } from '../../organizations/teams/repositories.ts';
import { Team } from '../../organizations/teams/schema.ts';

/** @throws HttpError 405 for the repositories of people */
function requireOrganization({ owner }: Repository): void {
  if (owner.type !== 'organization') throw new HttpError(405, 'repo is not owned by an organization');
}

/** @throws HttpError 403 where only owners give repositories to teams */
function requireTeamChange({ owner }: Repository, access: RepositoryAccess): void {
  if (!owner.repo_admin_change_team_access && !access.isOwner) throw forbidden('user is nor repo admin nor owner');
}

async function loadTeam({ db }: Context, repository: Repository, name: string): Promise<TeamRow> {
  const team = await db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', repository.owner_id)
    .where('lower_name', '=', name.toLowerCase())
    .executeTakeFirst();
  if (!team) throw noTeam(repository, name);
  return team;
}

function noTeam({ owner_id }: Repository, name: string): HttpError {
  return notFoundBecause(`team does not exist [org_id ${owner_id}, team_id 0, name: ${name}]`);
}

/** The teams of a repository. */
export const repositoryTeamRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/teams',
    id: 'repoListTeams',
    summary: 'Lists the teams that have a repository',
    scope: 'repository',
    needs: [signedIn, anyRead],
    responses: { 200: array(ref(Team)) },
    also: [405],
    handle: async ({ repository, access }, context) => {
      requireOrganization(repository);
      if (!access.isAdmin && !(await seesTeams(context, repository.owner))) return [];
      const teams = await context.db
        .selectFrom('team_repositories')
        .innerJoin('teams', 'teams.id', 'team_repositories.team_id')
        .selectAll('teams')
        .where('team_repositories.repository_id', '=', repository.id)
        // The owners come first.
        .orderBy(sql`case when teams.lower_name = 'owners' then '' else teams.name end`)
        .execute();
      return presentTeams(context, teams);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/teams/:team',
    id: 'repoCheckTeam',
    summary: 'Gets a team, if it has the repository',
    scope: 'repository',
    needs: [signedIn, anyRead],
    responses: { 200: Team },
    also: [405],
    handle: async ({ repository, access, params }, context) => {
      requireOrganization(repository);
      if (!access.isAdmin && !(await seesTeams(context, repository.owner))) throw noTeam(repository, params.team);
      const team = await loadTeam(context, repository, params.team);
      if (!(await teamHasRepository(context, team, repository.id))) throw notFound();
      return presentTeam(context, team, { organization: false });
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/teams/:team',
    id: 'repoAddTeam',
    summary: 'Adds a repository to a team',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 204: null },
    also: [405],
    handle: async ({ repository, access, params }, context) => {
      requireOrganization(repository);
      requireTeamChange(repository, access);
      const team = await loadTeam(context, repository, params.team);
      if (await teamHasRepository(context, team, repository.id)) throw unprocessable(`team '${team.name}' is already added to repo`);
      await addTeamRepository(context, team, repository);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/teams/:team',
    id: 'repoDeleteTeam',
    summary: 'Removes a repository from a team',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 204: null },
    also: [405],
    handle: async ({ repository, access, params }, context) => {
      requireOrganization(repository);
      requireTeamChange(repository, access);
      const team = await loadTeam(context, repository, params.team);
      if (!(await teamHasRepository(context, team, repository.id))) throw unprocessable(`team '${team.name}' was not added to repo`);
      await removeTeamRepository(context, team, repository);
      return empty(204);
    },
  }),
];
