import { isTeamMember } from '../../access/find-organization.ts';
import { loadUserByName } from '../../access/load.ts';
import { orgOwner, signedIn, teamMember } from '../../access/requirements.ts';
import { teamRoute } from '../../access/routes.ts';
import { presentUser, presentUsers } from '../../accounts/users/present.ts';
import { User } from '../../accounts/users/schema.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { addTeamMember, listTeamMembers, removeTeamMember } from './members.ts';

const id = { type: 'integer', format: 'int64', description: 'id of the team' } as const;
const username = { description: 'name of the user' };

/** Members of teams. */
export const teamMemberRoutes: readonly AnyRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/teams/:id/members',
    id: 'orgListTeamMembers',
    summary: 'Lists the members of a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id },
    query: pageQuery,
    responses: { 200: array(User) },
    handle: async ({ team, query, request }, context) => {
      const page = pageOf(context, query);
      const { users, total } = await listTeamMembers(context, team, page);
      return listed(presentUsers(context, users), total, { url: request.url, ...page });
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/teams/:id/members/:username',
    id: 'orgListTeamMember',
    summary: 'Gets a member of a team',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id, username },
    responses: { 200: User },
    also: [307],
    handle: async ({ team, params, request }, context) => {
      const user = await loadUserByName(context, params.username, request.url);
      if (!(await isTeamMember(context.db, team.id, user.id))) throw notFound();
      return presentUser(context, user);
    },
  }),
  teamRoute({
    method: 'PUT',
    path: '/teams/:id/members/:username',
    id: 'orgAddTeamMember',
    summary: 'Adds a user to a team',
    scope: 'organization',
    needs: [signedIn, teamMember, orgOwner],
    parameters: { id, username },
    responses: { 204: null },
    also: [307],
    handle: async ({ team, params, request }, context) => {
      await addTeamMember(context, team, await loadUserByName(context, params.username, request.url));
      return empty(204);
    },
  }),
  teamRoute({
    method: 'DELETE',
    path: '/teams/:id/members/:username',
    id: 'orgRemoveTeamMember',
    summary: 'Removes a user from a team',
    scope: 'organization',
    needs: [signedIn, teamMember, orgOwner],
    parameters: { id, username },
    responses: { 204: null },
    also: [307],
    handle: async ({ team, params, request }, context) => {
      await removeTeamMember(context, team, await loadUserByName(context, params.username, request.url));
      return empty(204);
    },
  }),
];
