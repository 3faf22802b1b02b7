import { ownerAccess } from '../../access/repository-access.ts';
import { canRead, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { organizationToCreateIn } from '../create-in-organization.ts';
import { presentRepositories, presentRepository } from '../present.ts';
import { Repository } from '../schema.ts';
import { forkRepository, listForks } from './forks.ts';
import { CreateForkOption } from './schema.ts';

const PATH = '/repos/:owner/:repo/forks';

/** The owner of a new fork: the caller, or the organization of this name. */
async function forkOwner(context: Context, organization: string | undefined): Promise<User> {
  const actor = signedInActor(context);
  if (organization === undefined) return actor;
  return organizationToCreateIn(context, organization, actor);
}

/** Forks of repositories. */
export const forkRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: PATH,
    id: 'listForks',
    summary: 'Lists the forks of a repository',
    scope: 'repository',
    needs: [],
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ repository, query, request }, context) => {
      const page = pageOf(context, query);
      const { repositories, total } = await listForks(context, repository, page);
      return listed(await presentRepositories(context, repositories), total, { url: request.url, ...page });
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: PATH,
    id: 'createFork',
    summary: 'Forks a repository',
    scope: 'repository',
    needs: [signedIn, canRead('code')],
    body: CreateForkOption,
    responses: { 202: Repository },
    also: [409],
    handle: async ({ repository, body }, context) => {
      const owner = await forkOwner(context, body.organization);
      const fork = await forkRepository(context, repository, owner, body.name ?? repository.name);
      // As clients expect, the response shows the state before the caller begins to watch.
      return presentRepository(context, { ...fork, watchers_count: 0 }, ownerAccess(fork));
    },
  }),
];
