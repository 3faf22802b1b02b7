import { orgMember, orgOwner, signedIn, teamMember } from '../../access/requirements.ts';
import { organizationRoute, teamRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { listed, pageHeaders, pageOf } from '../../http/paging.ts';
import { empty, HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array, type Shape } from '../../http/schema.ts';
import { listTeams } from './list.ts';
import { presentTeam, presentTeams } from './present.ts';
import { CreateTeamOption, EditTeamOption, Team, TeamSearchResults } from './schema.ts';
import { createTeam, deleteTeam, editTeam, type TeamOptions } from './teams.ts';

const org = { description: 'name of the organization' };
const id = { type: 'integer', format: 'int64', description: 'id of the team' } as const;

/** Teams of organizations and of the caller. */
export const teamRoutes: readonly AnyRoute[] = [
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/teams',
    id: 'orgListTeams',
    summary: 'Lists the teams of an organization',
    scope: 'organization',
    needs: [signedIn, orgMember],
    parameters: { org },
    query: pageQuery,
    responses: { 200: array(Team) },
    handle: async ({ organization, query, request }, context) => {
      const page = pageOf(context, query);
      const { teams, total } = await listTeams(context, { organizationId: organization.id }, page);
      return listed(await presentTeams(context, teams), total, { url: request.url, ...page });
    },
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/teams',
    id: 'orgCreateTeam',
    summary: 'Creates a team',
    scope: 'organization',
    needs: [signedIn, orgMember, orgOwner],
    parameters: { org },
    body: CreateTeamOption,
    responses: { 201: Team },
    handle: async ({ organization, body }, context) =>
      presentTeam(context, await createTeam(context, organization, { ...teamOptionsFrom(body), name: body.name })),
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/teams/search',
    semaphore: 'searches',
    id: 'teamSearch',
    summary: 'Searches the teams of an organization; members find those that they are in',
    scope: 'organization',
    needs: [signedIn, orgMember],
    parameters: { org },
    query: {
      q: query.string('part of the name or the description'),
      include_desc: query.boolean('whether the description is searched (it is unless this says no)'),
      ...pageQuery,
    },
    responses: { 200: TeamSearchResults },
    handle: async ({ organization, query, request }, context) => {
      const page = pageOf(context, query);
      const actor = signedInActor(context);
      const filter = {
        organizationId: organization.id,
        ...(!actor.is_admin && { userId: actor.id }),
        keyword: (query.q ?? '').trim(),
        inDescription: query.include_desc ?? true,
      };
      const { teams, total } = await listTeams(context, filter, page);
      const data = await presentTeams(context, teams);
      return new HttpResponse({ ok: true, data }, { headers: pageHeaders(total, { link: { url: request.url, ...page } }) });
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/teams/:id',
    id: 'orgGetTeam',
    summary: 'Gets a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id },
    responses: { 200: Team },
    handle: async ({ team }, context) => presentTeam(context, team),
  }),
  teamRoute({
    method: 'PATCH',
    path: '/teams/:id',
    id: 'orgEditTeam',
    summary: 'Changes a team',
    scope: 'organization',
    needs: [signedIn, teamMember, orgOwner],
    parameters: { id: { type: 'integer', description: 'id of the team' } },
    body: EditTeamOption,
    responses: { 200: Team },
    handle: async ({ team, body: { includes_all_repositories: includesAll, ...body } }, context) => {
      // Like in the reference, this field counts only together with a permission.
      const options = teamOptionsFrom(body.permission ? { ...body, includes_all_repositories: includesAll } : body);
      return presentTeam(context, await editTeam(context, team, options), { organization: false });
    },
  }),
  teamRoute({
    method: 'DELETE',
    path: '/teams/:id',
    id: 'orgDeleteTeam',
    summary: 'Removes a team',
    scope: 'organization',
    needs: [signedIn, teamMember, orgOwner],
    parameters: { id },
    responses: { 204: null },
    handle: async ({ team }, context) => {
      await deleteTeam(context, team);
      return empty(204);
    },
  }),
  route({
    method: 'GET',
    path: '/user/teams',
    id: 'userListTeams',
    summary: 'Lists the teams that the caller is in',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(Team) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const { teams, total } = await listTeams(context, { userId: signedInActor(context).id }, page);
      return listed(await presentTeams(context, teams, { organizations: true }), total, { url: request.url, ...page });
    },
  }),
];

/** The fields of a team in a request. */
export function teamOptionsFrom(body: Shape<typeof EditTeamOption>): TeamOptions {
  return {
    name: body.name,
    description: body.description,
    includesAllRepositories: body.includes_all_repositories,
    canCreateRepositories: body.can_create_org_repo,
    permission: body.permission,
    units: body.units,
    unitsMap: body.units_map,
  };
}
