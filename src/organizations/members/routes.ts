import { isOrganizationMember } from '../../access/find-organization.ts';
import { findUser } from '../../access/find-user.ts';
import { findVisibleUser, loadUserByName } from '../../access/load.ts';
import { orgMember, orgOwner, signedIn } from '../../access/requirements.ts';
import { organizationRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import { User } from '../../accounts/users/schema.ts';
import type { Context } from '../../context.ts';
import type { User as UserRow } from '../../database/tables/accounts.ts';
import { MovedError, notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { isPrivy, isPublicMember, listMembers, removeMember, setMembershipPublic } from './members.ts';

const org = { description: 'name of the organization' };
const username = { description: 'name of the user' };

/** Members and public members of organizations. */
export const memberRoutes: readonly AnyRoute[] = [
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/members',
    id: 'orgListMembers',
    summary: 'Lists the members of an organization that the caller may know of',
    scope: 'organization',
    needs: [signedIn],
    parameters: { org },
    query: pageQuery,
    responses: { 200: array(User) },
    handle: async ({ organization, query, request }, context) => {
      const page = pageOf(context, query);
      const { users, total } = await listMembers(context, organization, page);
      return listed(presentUsers(context, users), total, { url: request.url, ...page });
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/members/:username',
    id: 'orgIsMember',
    summary: 'Checks whether a user is a member of an organization',
    scope: 'organization',
    needs: [signedIn],
    parameters: { org, username },
    responses: { 204: null, 303: null },
    handle: async ({ organization, params, request }, context) => {
      const user = await findMember(context, organization, params.username, request.url);
      const actor = signedInActor(context);
      if (await isPrivy(context, organization, actor)) {
        if (await isOrganizationMember(context.db, organization.id, user.id)) return empty(204);
        throw notFound();
      }
      if (user.id === actor.id) throw notFound();
      // Others see only public members.
      const path = `/api/v1/orgs/${encodeURIComponent(organization.name)}/public_members/${encodeURIComponent(user.name)}`;
      throw new MovedError(path, 303);
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org/members/:username',
    id: 'orgDeleteMember',
    summary: 'Removes a member from an organization and all its teams',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org, username },
    responses: { 204: null },
    handle: async ({ organization, params, request }, context) => {
      await removeMember(context, organization, await loadUserByName(context, params.username, request.url));
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/public_members',
    id: 'orgListPublicMembers',
    summary: 'Lists the public members of an organization',
    scope: 'organization',
    parameters: { org },
    query: pageQuery,
    responses: { 200: array(User) },
    handle: async ({ organization, query, request }, context) => {
      const page = pageOf(context, query);
      const { users, total } = await listMembers(context, organization, page, { publicOnly: true });
      return listed(presentUsers(context, users), total, { url: request.url, ...page });
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/public_members/:username',
    id: 'orgIsPublicMember',
    summary: 'Checks whether a user is a public member of an organization',
    scope: 'organization',
    parameters: { org, username },
    responses: { 204: null },
    handle: async ({ organization, params, request }, context) => {
      const user = await findMember(context, organization, params.username, request.url);
      if (!(await isPublicMember(context, organization, user))) throw notFound();
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'PUT',
    path: '/orgs/:org/public_members/:username',
    id: 'orgPublicizeMember',
    summary: 'Makes a membership public',
    scope: 'organization',
    needs: [signedIn, orgMember],
    parameters: { org, username },
    responses: { 204: null },
    handle: async ({ organization, params, request }, context) => {
      const user = await loadUserByName(context, params.username, request.url);
      await setMembershipPublic(context, signedInActor(context), organization, user, true);
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org/public_members/:username',
    id: 'orgConcealMember',
    summary: 'Makes a membership private',
    scope: 'organization',
    needs: [signedIn, orgMember],
    parameters: { org, username },
    responses: { 204: null },
    handle: async ({ organization, params, request }, context) => {
      const user = await loadUserByName(context, params.username, request.url);
      await setMembershipPublic(context, signedInActor(context), organization, user, false);
      return empty(204);
    },
  }),
];

/**
 * The user of a name whom the caller may see, or who is a public member of the organization and so is in its lists.
 * @throws HttpError 404
 */
async function findMember(context: Context, organization: UserRow, name: string, url: string): Promise<UserRow> {
  const user = await findUser(context.db, name);
  return user && (await isPublicMember(context, organization, user)) ? user : findVisibleUser(context, name, url);
}
