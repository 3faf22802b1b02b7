import { signedIn } from '../../access/requirements.ts';
import { userRoute } from '../../access/routes.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { presentUsers } from '../users/present.ts';
import { User } from '../users/schema.ts';
import { isListed } from './blocked.ts';
import { blockUser, listBlocked, unblockUser } from './blocks.ts';

const username = { description: 'name of the user' };

/** The users whom the caller has blocked. */
export const blockRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/blocks',
    id: 'userListBlocks',
    summary: 'Lists the users that the caller has blocked',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(User) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const { users, total } = await listBlocked(context, signedInActor(context), page);
      return listed(presentUsers(context, users), total, { url: request.url, ...page });
    },
  }),
  userRoute({
    method: 'GET',
    path: '/user/blocks/:username',
    id: 'userCheckUserBlock',
    summary: 'Checks whether the caller has blocked a user',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { username },
    responses: { 204: null, 404: null },
    handle: async ({ user }, context) => empty((await isListed(context.db, signedInActor(context).id, user.id)) ? 204 : 404),
  }),
  userRoute({
    method: 'PUT',
    path: '/user/blocks/:username',
    id: 'userBlockUser',
    summary: 'Blocks a user',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { username },
    query: { note: query.string('why, for the caller to remember') },
    responses: { 204: null },
    also: [400],
    handle: async ({ user, query }, context) => {
      const actor = signedInActor(context);
      await blockUser(context, actor, actor, user, query.note ?? '');
    },
  }),
  userRoute({
    method: 'DELETE',
    path: '/user/blocks/:username',
    id: 'userUnblockUser',
    summary: 'Unblocks a user',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { username },
    responses: { 204: null },
    also: [400],
    handle: async ({ user }, context) => {
      const actor = signedInActor(context);
      await unblockUser(context, actor, actor, user);
    },
  }),
];
