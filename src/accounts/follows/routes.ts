import { findVisibleUser } from '../../access/load.ts';
import { signedIn } from '../../access/requirements.ts';
import { userRoute, visibleUserRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { User as UserRow } from '../../database/tables/accounts.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery, type RequestParts, route } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { presentUsers } from '../users/present.ts';
import { User } from '../users/schema.ts';
import { follow, isFollowing, listFollowers, listFollowing, unfollow } from './follows.ts';

const username = { description: 'name of the user' };

interface ListInput {
  query: { page?: number; limit?: number };
  request: RequestParts;
}

async function listResponse(list: typeof listFollowers, user: UserRow, { query, request }: ListInput, context: Context) {
  const page = pageOf(context, query);
  const { users, total } = await list(context, user, page);
  return listed(presentUsers(context, users), total, { url: request.url, ...page });
}

async function checkFollowing(context: Context, followerId: number, followedId: number): Promise<void> {
  if (!(await isFollowing(context.db, followerId, followedId))) throw notFound();
}

/** Followers. */
export const followRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/followers',
    id: 'userCurrentListFollowers',
    summary: 'Lists who follows the caller',
    scope: 'user',
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(User) },
    handle: (input, context) => listResponse(listFollowers, signedInActor(context), input, context),
  }),
  route({
    method: 'GET',
    path: '/user/following',
    id: 'userCurrentListFollowing',
    summary: 'Lists whom the caller follows',
    scope: 'user',
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(User) },
    handle: (input, context) => listResponse(listFollowing, signedInActor(context), input, context),
  }),
  userRoute({
    method: 'GET',
    path: '/user/following/:username',
    id: 'userCurrentCheckFollowing',
    summary: 'Checks whether the caller follows a user',
    scope: 'user',
    needs: [signedIn],
    parameters: { username },
    responses: { 204: null },
    handle: ({ user }, context) => checkFollowing(context, signedInActor(context).id, user.id),
  }),
  userRoute({
    method: 'PUT',
    path: '/user/following/:username',
    id: 'userCurrentPutFollow',
    summary: 'Follows a user',
    scope: 'user',
    needs: [signedIn],
    parameters: { username },
    responses: { 204: null },
    handle: ({ user }, context) => follow(context, signedInActor(context), user),
  }),
  userRoute({
    method: 'DELETE',
    path: '/user/following/:username',
    id: 'userCurrentDeleteFollow',
    summary: 'Unfollows a user',
    scope: 'user',
    needs: [signedIn],
    parameters: { username },
    responses: { 204: null },
    handle: ({ user }, context) => unfollow(context, signedInActor(context).id, user.id),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/followers',
    id: 'userListFollowers',
    summary: 'Lists who follows a user',
    scope: 'user',
    needs: [signedIn],
    parameters: { username },
    query: pageQuery,
    responses: { 200: array(User) },
    handle: (input, context) => listResponse(listFollowers, input.user, input, context),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/following',
    id: 'userListFollowing',
    summary: 'Lists whom a user follows',
    scope: 'user',
    needs: [signedIn],
    parameters: { username },
    query: pageQuery,
    responses: { 200: array(User) },
    handle: (input, context) => listResponse(listFollowing, input.user, input, context),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/following/:target',
    id: 'userCheckFollowing',
    summary: 'Checks whether one user follows another',
    scope: 'user',
    needs: [signedIn],
    parameters: { username, target: { description: 'name of the user who may be followed' } },
    responses: { 204: null },
    handle: async ({ user, params, request }, context) =>
      checkFollowing(context, user.id, (await findVisibleUser(context, params.target, request.url)).id),
  }),
];
