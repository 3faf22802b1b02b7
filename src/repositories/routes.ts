import { findRepository } from '../access/find-repository.ts';
import { ownerAccess, repositoryAccess } from '../access/repository-access.ts';
import { anyRead, repositoryAdmin, repositoryOwner, signedIn, siteAdmin } from '../access/requirements.ts';
import { organizationRoute, repositoryRoute, userRoute } from '../access/routes.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { isObjectFormat } from '../git/repository.ts';
import { notFound, unprocessable } from '../http/errors.ts';
import { empty } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';
import type { Shape } from '../http/schema.ts';
import { repositoryAvatarRoutes } from './avatar/routes.ts';
import { collaboratorRoutes } from './collaborators/routes.ts';
import { createRepository } from './create.ts';
import { organizationToCreateIn } from './create-in-organization.ts';
import { requestDeletion } from './delete.ts';
import { deployKeyRoutes } from './deploy-keys/routes.ts';
import { editRepository } from './edit/edit.ts';
import { forkRoutes } from './forks/routes.ts';
import { generateRoutes } from './generate/routes.ts';
import { issueTemplateRoutes } from './issue-templates/routes.ts';
import { presentRepository, withLanguages } from './present.ts';
import { CreateRepoOption, EditRepoOption, Repository } from './schema.ts';
import { repositorySearchRoutes } from './search/routes.ts';
import { signingKeyRoutes } from './signing/routes.ts';
import { starRoutes } from './stars/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { repositoryTeamRoutes } from './teams/routes.ts';
import { topicRoutes } from './topics/routes.ts';
import { transferRoutes } from './transfer/routes.ts';
import { watchRoutes } from './watches/routes.ts';

/** Creates a repository from the body that all routes for this share. */
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

/** All routes of repositories themselves; their contents have routes of their own. */
export const repositoryRoutes: readonly AnyRoute[] = [
  ...repositorySearchRoutes,
  ...collaboratorRoutes,
  ...deployKeyRoutes,
  ...forkRoutes,
  ...generateRoutes,
  ...issueTemplateRoutes,
  ...repositoryAvatarRoutes,
  ...signingKeyRoutes,
  ...starRoutes,
  ...statisticsRoutes,
  ...repositoryTeamRoutes,
  ...topicRoutes,
  ...transferRoutes,
  ...watchRoutes,
  route({
    method: 'POST',
    path: '/user/repos',
    id: 'createCurrentUserRepo',
    summary: 'Creates a repository of the caller’s own',
    tag: 'repository',
    groupScope: 'user',
    scope: 'repository',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: CreateRepoOption,
    responses: { 201: Repository },
    also: [400, 409],
    handle: async ({ body }, context) => create(context, signedInActor(context), body),
  }),
  userRoute({
    method: 'POST',
    path: '/admin/users/:username/repos',
    id: 'adminCreateRepo',
    summary: 'Creates a repository in a user’s name',
    tag: 'admin',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    body: CreateRepoOption,
    bodyParameter: { name: 'repository', required: true },
    responses: { 201: Repository },
    also: [400, 409],
    handle: async ({ user, body }, context) => create(context, user, body),
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/repos',
    id: 'createOrgRepo',
    summary: 'Creates a repository in an organization',
    tag: 'organization',
    scope: 'organization',
    needs: [signedIn],
    body: CreateRepoOption,
    responses: { 201: Repository },
    also: [400, 409],
    handle: async ({ organization, body }, context) =>
      create(context, await organizationToCreateIn(context, organization.name, signedInActor(context)), body),
  }),
  route({
    method: 'POST',
    path: '/org/:org/repos',
    id: 'createOrgRepoDeprecated',
    summary: 'Creates a repository in an organization',
    tag: 'organization',
    scope: ['organization', 'repository'],
    needs: [signedIn],
    body: CreateRepoOption,
    responses: { 201: Repository },
    deprecated: true,
    also: [400, 409],
    handle: async ({ params, body }, context) =>
      create(context, await organizationToCreateIn(context, params.org, signedInActor(context)), body),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo',
    id: 'repoGet',
    summary: 'Gets a repository',
    scope: 'repository',
    needs: [anyRead],
    responses: { 200: Repository },
    handle: async ({ repository, access }, context) =>
      withLanguages([await presentRepository(context, repository, access)], [repository])[0],
  }),
  route({
    method: 'GET',
    path: '/repositories/:id',
    id: 'repoGetByID',
    summary: 'Gets a repository by its id',
    scope: 'repository',
    needs: [signedIn],
    parameters: { id: { type: 'integer', format: 'int64' } },
    responses: { 200: Repository },
    handle: async ({ params }, context) => {
      const repository = /^\d{1,15}$/.test(params.id) ? await findRepository(context.db, Number(params.id)) : undefined;
      if (!repository) throw notFound();
      const access = await repositoryAccess(context, repository, context.actor);
      if (!access.hasAnyUnit) throw notFound();
      return presentRepository(context, repository, access);
    },
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/repos/:owner/:repo',
    id: 'repoEdit',
    summary: 'Changes a repository',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    body: EditRepoOption,
    responses: { 200: Repository },
    handle: async ({ repository, access, body }, context) =>
      presentRepository(context, await editRepository(context, repository, body), access),
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo',
    id: 'repoDelete',
    summary: 'Deletes a repository',
    scope: 'repository',
    needs: [signedIn, repositoryOwner],
    responses: { 204: null },
    handle: async ({ repository }, context) => {
      await requestDeletion(context, repository);
      return empty(204);
    },
  }),
];
