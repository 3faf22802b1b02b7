import { findPresentUser } from '../../access/load.ts';
import { orgOwner, signedIn } from '../../access/requirements.ts';
import { organizationRoute } from '../../access/routes.ts';
import { isListed } from '../../accounts/blocks/blocked.ts';
import { blockUser, listBlocked, unblockUser } from '../../accounts/blocks/blocks.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import { User } from '../../accounts/users/schema.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array } from '../../http/schema.ts';

const org = { description: 'name of the organization' };
const username = { description: 'name of the user' };

/** Whom an organization has blocked. */
export const organizationBlockRoutes: readonly AnyRoute[] = [
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/blocks',
    id: 'organizationListBlocks',
    summary: 'Lists the users that an organization has blocked',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org },
    query: pageQuery,
    responses: { 200: array(User) },
    handle: async ({ organization, query, request }, context) => {
      const page = pageOf(context, query);
      const { users, total } = await listBlocked(context, organization, page);
      // As the organization sees them, for every caller: without what administrators see.
      return listed(presentUsers(context, users, 'reader'), total, { url: request.url, ...page });
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/blocks/:username',
    id: 'organizationCheckUserBlock',
    summary: 'Checks whether an organization has blocked a user',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org, username },
    responses: { 204: null, 404: null },
    handle: async ({ organization, params }, context) => {
      const user = await findPresentUser(context, params.username);
      return empty((await isListed(context.db, organization.id, user.id)) ? 204 : 404);
    },
  }),
  organizationRoute({
    method: 'PUT',
    path: '/orgs/:org/blocks/:username',
    id: 'organizationBlockUser',
    summary: 'Blocks a user on behalf of an organization',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org, username },
    query: { note: query.string('why, for the owners to remember') },
    responses: { 204: null },
    also: [400],
    handle: async ({ organization, params, query }, context) => {
      const user = await findPresentUser(context, params.username);
      await blockUser(context, signedInActor(context), organization, user, query.note ?? '');
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org/blocks/:username',
    id: 'organizationUnblockUser',
    summary: 'Unblocks a user',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org, username },
    responses: { 204: null },
    also: [400],
    handle: async ({ organization, params }, context) => {
      const user = await findPresentUser(context, params.username);
      await unblockUser(context, signedInActor(context), organization, user);
      return empty(204);
    },
  }),
];
