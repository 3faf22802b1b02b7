import type { Repository as RepositoryRow } from '../../access/find-repository.ts';
import { repositoriesAccess } from '../../access/repository-access.ts';
import { signedIn } from '../../access/requirements.ts';
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
import { array, ref, wireTime } from '../../http/schema.ts';
import { presentRepositories } from '../present.ts';
import { Repository } from '../schema.ts';
import { repositoryApiUrl } from '../urls.ts';
import { WatchInfo } from './schema.ts';
import { listWatched, listWatchers, startWatching, unwatch, watchMode } from './watches.ts';

/** The permissions shown are those of the user who watches. */
async function watchedBy(context: Context, user: UserRow, query: { page?: number; limit?: number }, url: string) {
  const page = pageOf(context, query);
  const { repositories, total } = await listWatched(context, user, page);
  const shapes = await presentRepositories(context, repositories, await repositoriesAccess(context, repositories, user));
  return listed(shapes, total, { url, ...page });
}

function presentWatch({ settings }: Context, repository: RepositoryRow) {
  const address = repositoryApiUrl(settings, repository);
  return {
    subscribed: true,
    ignored: false,
    reason: null,
    created_at: wireTime(repository.created_at),
    url: `${address}/subscription`,
    repository_url: address,
  };
}

/** Watching. */
export const watchRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/subscriptions',
    id: 'userCurrentListSubscriptions',
    summary: 'Lists the repositories that the caller watches',
    scope: 'user',
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ query, request }, context) => watchedBy(context, signedInActor(context), query, request.url),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/subscriptions',
    id: 'userListSubscriptions',
    summary: 'Lists the repositories that a user watches',
    scope: 'user',
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ user, query, request }, context) => watchedBy(context, user, query, request.url),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/subscribers',
    id: 'repoListSubscribers',
    summary: 'Lists who watches a repository',
    scope: 'repository',
    query: pageQuery,
    responses: { 200: array(ref(User)) },
    handle: async ({ repository, query }, context) => {
      const users = await listWatchers(context, repository, pageOf(context, query));
      return listed(presentUsers(context, users), repository.watchers_count);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/subscription',
    id: 'userCurrentCheckSubscription',
    summary: 'Checks whether the caller watches a repository',
    scope: 'repository',
    needs: [signedIn],
    responses: { 200: WatchInfo },
    handle: async ({ repository }, context) => {
      const mode = await watchMode(context.db, repository.id, signedInActor(context).id);
      if (mode === undefined || mode === 'ignored') throw notFound();
      return presentWatch(context, repository);
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/subscription',
    id: 'userCurrentPutSubscription',
    summary: 'Watches a repository',
    scope: 'repository',
    needs: [signedIn],
    responses: { 200: WatchInfo },
    handle: async ({ repository }, context) => {
      await startWatching(context, repository, signedInActor(context));
      return presentWatch(context, repository);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/subscription',
    id: 'userCurrentDeleteSubscription',
    summary: 'Unwatches a repository',
    scope: 'repository',
    needs: [signedIn],
    responses: { 204: null },
    handle: async ({ repository }, context) => {
      await unwatch(context, repository, signedInActor(context).id);
      return empty(204);
    },
  }),
];
