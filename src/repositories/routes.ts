import { signedInDoer } from '../accounts/sign-in/doer.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { isObjectFormat } from '../git/repository.ts';
import { empty } from '../http/answers.ts';
import { unprocessable } from '../http/errors.ts';
import { anyRead, repositoryOwner, signedIn, siteAdmin } from '../http/requirements.ts';
import { type AnyRoute, route } from '../http/route.ts';
import type { Shape } from '../http/schema.ts';
import { ownerAccess } from './access.ts';
import { createRepository } from './create.ts';
import { deleteRepositoryAsked } from './delete.ts';
import { presentRepository } from './present.ts';
import { CreateRepoOption, Repository } from './schema.ts';
import { repositorySearchRoutes } from './search/routes.ts';
import { starRoutes } from './stars/routes.ts';
import { topicRoutes } from './topics/routes.ts';
import { watchRoutes } from './watches/routes.ts';

/** Makes a repository from the body that all routes which make one share. */
async function create(context: Context, owner: User, body: Shape<typeof CreateRepoOption>) {
  const format = body.object_format_name || 'sha1';
  if (!isObjectFormat(format)) throw unprocessable(`object format is not supported: ${format}`);
  const repository = await createRepository(context, owner, {
    name: body.name,
    description: body.description ?? '',
    isPrivate: body.private ?? false,
    isTemplate: body.template ?? false,
    autoInit: body.auto_init ?? false,
    readme: body.readme ?? '',
    gitignores: body.gitignores ?? '',
    license: body.license ?? '',
    issueLabels: body.issue_labels ?? '',
    defaultBranch: body.default_branch ?? '',
    trustModel: body.trust_model ?? '',
    objectFormat: format,
  });
  return presentRepository(context, repository, ownerAccess(repository));
}

/** Everything about repositories as such; what is in them has routes of its own. */
export const repositoryRoutes: readonly AnyRoute[] = [
  ...repositorySearchRoutes,
  ...starRoutes,
  ...topicRoutes,
  ...watchRoutes,
  route({
    method: 'POST',
    path: '/user/repos',
    id: 'createCurrentUserRepo',
    summary: 'Creates a repository of the caller’s own',
    tag: 'repository',
    groupScope: 'user',
    scope: 'repository',
    needs: [signedIn],
    body: CreateRepoOption,
    answers: { 201: Repository },
    handle: async ({ body }, context) => create(context, signedInDoer(context), body),
  }),
  route({
    method: 'POST',
    path: '/admin/users/:username/repos',
    id: 'adminCreateRepo',
    summary: 'Creates a repository in a user’s name',
    tag: 'admin',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    body: CreateRepoOption,
    bodyParameter: { name: 'repository', required: true },
    answers: { 201: Repository },
    handle: async ({ user, body }, context) => create(context, user, body),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo',
    id: 'repoGet',
    summary: 'Gets a repository',
    scope: 'repository',
    needs: [anyRead],
    answers: { 200: Repository },
    handle: async ({ repository, access }, context) => presentRepository(context, repository, access),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo',
    id: 'repoDelete',
    summary: 'Deletes a repository',
    scope: 'repository',
    needs: [signedIn, repositoryOwner],
    answers: { 204: null },
    handle: async ({ repository }, context) => {
      await deleteRepositoryAsked(context, repository);
      return empty(204);
    },
  }),
];
