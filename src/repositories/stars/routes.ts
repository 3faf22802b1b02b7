import { repositoriesAccess } from '../../access/repository-access.ts';
import { signedIn, starsOn } from '../../access/requirements.ts';
import { repositoryRoute, visibleUserRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import { User } from '../../accounts/users/schema.ts';
import type { Context } from '../../context.ts';
import type { User as UserRow } from '../../database/tables/accounts.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentRepositories } from '../present.ts';
import { Repository } from '../schema.ts';
import { isStarred, listStargazers, listStarred, star, unstar } from './stars.ts';

/** The permissions shown are those of the user whose stars they are. */
async function starredBy(context: Context, user: UserRow, query: { page?: number; limit?: number }, url: string) {
  const page = pageOf(context, query);
  const { repositories, total } = await listStarred(context, user, page);
  const shapes = await presentRepositories(context, repositories, await repositoriesAccess(context, repositories, user));
  return listed(shapes, total, { url, ...page });
}

const own = { tag: 'user', groupScope: 'user', scope: 'repository', needs: [signedIn, starsOn] } as const;

/** Stars. */
export const starRoutes: readonly AnyRoute[] = [
  route({
    ...own,
    method: 'GET',
    path: '/user/starred',
    id: 'userCurrentListStarred',
    summary: 'Lists the repositories that the caller has starred',
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ query, request }, context) => starredBy(context, signedInActor(context), query, request.url),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/starred',
    id: 'userListStarred',
    summary: 'Lists the repositories that a user has starred',
    tag: 'user',
    scope: 'user',
    needs: [signedIn, starsOn],
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ user, query, request }, context) => starredBy(context, user, query, request.url),
  }),
  repositoryRoute({
    ...own,
    method: 'GET',
    path: '/user/starred/:owner/:repo',
    id: 'userCurrentCheckStarring',
    summary: 'Checks whether the caller has starred a repository',
    responses: { 204: null },
    handle: async ({ repository }, context) => {
      if (!(await isStarred(context, repository, signedInActor(context)))) throw notFound();
      return empty(204);
    },
  }),
  repositoryRoute({
    ...own,
    method: 'PUT',
    path: '/user/starred/:owner/:repo',
    id: 'userCurrentPutStar',
    summary: 'Stars a repository',
    responses: { 204: null },
    handle: async ({ repository }, context) => {
      await star(context, repository, signedInActor(context));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...own,
    method: 'DELETE',
    path: '/user/starred/:owner/:repo',
    id: 'userCurrentDeleteStar',
    summary: 'Removes the star of a repository',
    responses: { 204: null },
    handle: async ({ repository }, context) => {
      await unstar(context, repository, signedInActor(context));
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/stargazers',
    id: 'repoListStargazers',
    summary: 'Lists who has starred a repository',
    scope: 'repository',
    needs: [starsOn],
    query: pageQuery,
    responses: { 200: array(ref(User)) },
    handle: async ({ repository, query }, context) => {
      const users = await listStargazers(context, repository, pageOf(context, query));
      return listed(presentUsers(context, users), repository.stars_count);
    },
  }),
];
