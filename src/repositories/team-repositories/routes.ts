import { repositoryAccess } from '../../access/repository-access.ts';
import { signedIn, teamMember } from '../../access/requirements.ts';
import { teamRoute } from '../../access/routes.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { addTeamRepository, removeTeamRepository, teamHasRepository } from '../../organizations/teams/repositories.ts';
import { presentRepositories, presentRepository } from '../present.ts';
import { Repository } from '../schema.ts';
import { findAdministered, findTeamRepository } from './find.ts';
import { listTeamRepositories } from './list.ts';

const id = { type: 'integer', format: 'int64', description: 'id of the team' } as const;
const org = { description: 'any word; the repository is always of the organization of the team' };
const repo = { description: 'name of the repository' };

/** Repositories of teams. */
export const teamRepositoryRoutes: readonly AnyRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/teams/:id/repos',
    id: 'orgListTeamRepos',
    summary: 'Lists the repositories of a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id },
    query: pageQuery,
    responses: { 200: array(Repository) },
    handle: async ({ team, query, request }, context) => {
      const page = pageOf(context, query);
      const { repositories, access, total } = await listTeamRepositories(context, team, page);
      return listed(await presentRepositories(context, repositories, access), total, { url: request.url, ...page });
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/teams/:id/repos/:org/:repo',
    id: 'orgListTeamRepo',
    summary: 'Gets a repository of a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id, org, repo },
    responses: { 200: Repository },
    handle: async ({ team, organization, params }, context) => {
      const repository = await findTeamRepository(context, organization, params.repo);
      if (!(await teamHasRepository(context, team, repository.id))) throw notFound();
      return presentRepository(context, repository, await repositoryAccess(context, repository, context.actor));
    },
  }),
  teamRoute({
    method: 'PUT',
    path: '/teams/:id/repos/:org/:repo',
    id: 'orgAddTeamRepository',
    summary: 'Adds a repository to a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id, org, repo },
    responses: { 204: null },
    handle: async ({ team, organization, params }, context) => {
      await addTeamRepository(context, team, await findAdministered(context, organization, params.repo));
      return empty(204);
    },
  }),
  teamRoute({
    method: 'DELETE',
    path: '/teams/:id/repos/:org/:repo',
    id: 'orgRemoveTeamRepository',
    summary: 'Removes a repository from a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id, org, repo },
    responses: { 204: null },
    handle: async ({ team, organization, params }, context) => {
      await removeTeamRepository(context, team, await findAdministered(context, organization, params.repo));
      return empty(204);
    },
  }),
];
