import { seesTeams } from '../../access/find-organization.ts';
import { anyRead, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { notFound } from '../../http/errors.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentTeam, presentTeams } from '../../organizations/teams/present.ts';
import { teamHasRepository } from '../../organizations/teams/repositories.ts';
import { Team } from '../../organizations/teams/schema.ts';
import { giveToTeam, loadTeam, noTeam, requireOrganization, takeFromTeam, teamsOfRepository } from './teams.ts';

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
      return presentTeams(context, await teamsOfRepository(context, repository));
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
      await giveToTeam(context, repository, access, params.team);
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
      await takeFromTeam(context, repository, access, params.team);
      return empty(204);
    },
  }),
];
