import { type Loaded, loadOrganization, loadRepository } from '../../access/load.ts';
import { orgOwner, repositoryAdmin, signedIn, siteAdmin, webhooksOn } from '../../access/requirements.ts';
import { organizationRoute, repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, type Loader, pageQuery, query, type Requirement, route, type ScopeCategory } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { createHook, deleteHook, editHook, getHook, listHooks } from './hooks.ts';
import { presentHook } from './present.ts';
import { CreateHookOption, EditHookOption, Hook } from './schema.ts';
import type { HookScope } from './scope.ts';

/** Where hooks are managed, and for whom. */
interface Rows {
  path: string;
  /** Prefix of operation ids. */
  prefix: string;
  of: string;
  scope: ScopeCategory;
  refusesPublicOnly?: boolean;
  needs: readonly Requirement[];
  bodyRequired: boolean;
  parameters: Record<string, { description: string }>;
  loads?: Loader<unknown>;
  hookScope: (input: Loaded, context: Context) => HookScope;
}

const ID = { type: 'integer', format: 'int64', description: 'id of the webhook' } as const;

/** The same five rows at each of the scopes. */
function hookRows({ path, prefix, of, hookScope, parameters, bodyRequired, ...common }: Rows): AnyRoute[] {
  const one = { ...common, path: `${path}/:id`, parameters: { ...parameters, id: ID } };
  return [
    route({
      ...common,
      method: 'POST',
      path,
      id: `${prefix}CreateHook`,
      summary: `Creates a webhook of ${of}`,
      parameters,
      body: CreateHookOption,
      bodyParameter: { required: bodyRequired },
      responses: { 201: Hook },
      also: [400],
      handle: async (input, context) => presentHook(context, await createHook(context, hookScope(input, context), input.body)),
    }),
    route({
      ...one,
      method: 'GET',
      id: `${prefix}GetHook`,
      summary: `Gets a webhook of ${of}`,
      responses: { 200: Hook },
      handle: async (input, context) => presentHook(context, await getHook(context, hookScope(input, context), idOf(input))),
    }),
    route({
      ...one,
      method: 'PATCH',
      id: `${prefix}EditHook`,
      summary: `Changes a webhook of ${of}`,
      body: EditHookOption,
      responses: { 200: Hook },
      also: [400],
      handle: async (input, context) => presentHook(context, await editHook(context, hookScope(input, context), idOf(input), input.body)),
    }),
    route({
      ...one,
      method: 'DELETE',
      id: `${prefix}DeleteHook`,
      summary: `Removes a webhook of ${of}`,
      responses: { 204: null },
      handle: async (input, context) => {
        await deleteHook(context, hookScope(input, context), idOf(input));
        return empty(204);
      },
    }),
  ];
}

function idOf({ params }: Loaded): number {
  return pathId(params.id ?? '');
}

/** A page of the hooks of a scope; the description knows the number of all by a header, and their pages by links. */
async function listResponse(
  context: Context,
  scope: HookScope,
  { query, request }: { query: { page?: number; limit?: number }; request: { url: string } },
  { links, isSystem }: { links: boolean; isSystem?: boolean },
) {
  const page = pageOf(context, query);
  const { hooks, total } = await listHooks(context, scope, page, isSystem);
  const shapes = hooks.map((hook) => presentHook(context, hook));
  return listed(shapes, total, links ? { url: request.url, ...page } : undefined);
}

const ofRepository = { scope: 'repository', needs: [signedIn, repositoryAdmin, webhooksOn] } as const;
const ofUser = { scope: 'user', refusesPublicOnly: true, needs: [signedIn, webhooksOn] } as const;
const ofOrganization = { scope: 'organization', needs: [signedIn, orgOwner, webhooksOn] } as const;
const ofInstance = { scope: 'admin', needs: [signedIn, siteAdmin] } as const;
const org = { description: 'name of the organization' };
const KINDS = ['system', 'default', 'all'] as const;

/** Webhooks of repositories, users, organizations and the instance. */
export const hookRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...ofRepository,
    method: 'GET',
    path: '/repos/:owner/:repo/hooks',
    id: 'repoListHooks',
    summary: 'Lists the webhooks of a repository',
    query: pageQuery,
    responses: { 200: array(Hook) },
    handle: (input, context) => listResponse(context, { repositoryId: input.repository.id }, input, { links: false }),
  }),
  ...hookRows({
    ...ofRepository,
    path: '/repos/:owner/:repo/hooks',
    prefix: 'repo',
    of: 'a repository',
    bodyRequired: false,
    parameters: {},
    loads: loadRepository,
    hookScope: ({ repository }) => ({ repositoryId: repository?.id ?? 0 }),
  }),
  route({
    ...ofUser,
    method: 'GET',
    path: '/user/hooks',
    id: 'userListHooks',
    summary: 'Lists the webhooks of the caller',
    query: pageQuery,
    responses: { 200: array(Hook) },
    handle: (input, context) => listResponse(context, { ownerId: signedInActor(context).id }, input, { links: true }),
  }),
  ...hookRows({
    ...ofUser,
    path: '/user/hooks',
    prefix: 'user',
    of: 'the caller',
    bodyRequired: true,
    parameters: {},
    hookScope: (_, context) => ({ ownerId: signedInActor(context).id }),
  }),
  organizationRoute({
    ...ofOrganization,
    method: 'GET',
    path: '/orgs/:org/hooks',
    id: 'orgListHooks',
    summary: 'Lists the webhooks of an organization',
    parameters: { org },
    query: pageQuery,
    responses: { 200: array(Hook) },
    handle: (input, context) => listResponse(context, { ownerId: input.organization.id }, input, { links: true }),
  }),
  ...hookRows({
    ...ofOrganization,
    path: '/orgs/:org/hooks',
    prefix: 'org',
    of: 'an organization',
    bodyRequired: true,
    parameters: { org },
    loads: loadOrganization,
    hookScope: ({ organization }) => ({ ownerId: organization?.id ?? 0 }),
  }),
  route({
    ...ofInstance,
    method: 'GET',
    path: '/admin/hooks',
    id: 'adminListHooks',
    summary: 'Lists the webhooks of the instance',
    query: {
      ...pageQuery,
      type: query.string('those that get all events (system), those that new repositories get (default), or all', {
        enum: KINDS,
        default: 'system',
      }),
    },
    responses: { 200: array(Hook) },
    handle: (input, context) => {
      const { type } = input.query;
      return listResponse(context, { instance: true }, input, { links: true, ...(type !== 'all' && { isSystem: type !== 'default' }) });
    },
  }),
  ...hookRows({
    ...ofInstance,
    path: '/admin/hooks',
    prefix: 'admin',
    of: 'the instance',
    bodyRequired: true,
    parameters: {},
    hookScope: () => ({ instance: true }),
  }),
];
