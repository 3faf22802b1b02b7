import { loadUserByName } from '../access/load.ts';
import { signedIn, siteAdmin } from '../access/requirements.ts';
import { userRoute, visibleUserRoute } from '../access/routes.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { pageOf } from '../http/paging.ts';
import { type AnyRoute, pageQuery, route } from '../http/route.ts';
import { array } from '../http/schema.ts';
import { createOrganization } from './create.ts';
import { listAllOrganizations, listOrganizationsOf } from './list.ts';
import { permissionsIn } from './permissions.ts';
import { presentOrganization } from './present.ts';
import { listedOrganizations, newOrganization } from './routes.ts';
import { CreateOrgOption, Organization, OrganizationPermissions } from './schema.ts';

const username = { description: 'name of the user' };

/** The organizations of users, and what administrators do with organizations. */
export const userOrganizationRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/orgs',
    id: 'orgListCurrentUserOrgs',
    summary: 'Lists the organizations that the caller is in',
    tag: 'organization',
    scope: ['user', 'organization'],
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(Organization) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      return listedOrganizations(context, await listOrganizationsOf(context, signedInActor(context), page), page, request);
    },
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/orgs',
    id: 'orgListUserOrgs',
    summary: 'Lists the organizations of a user that the caller may know of',
    tag: 'organization',
    scope: ['user', 'organization'],
    needs: [signedIn],
    parameters: { username },
    query: pageQuery,
    responses: { 200: array(Organization) },
    handle: async ({ user, query, request }, context) => {
      const page = pageOf(context, query);
      return listedOrganizations(context, await listOrganizationsOf(context, user, page), page, request);
    },
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/orgs/:org/permissions',
    id: 'orgGetUserPermissions',
    summary: 'Returns what a user may do in an organization',
    tag: 'organization',
    scope: ['user', 'organization'],
    needs: [signedIn],
    parameters: { username, org: { description: 'name of the organization' } },
    responses: { 200: OrganizationPermissions },
    handle: async ({ user, params, request }, context) =>
      permissionsIn(context, await loadUserByName(context, params.org, request.url), user),
  }),
  route({
    method: 'GET',
    path: '/admin/orgs',
    id: 'adminGetAllOrgs',
    summary: 'Lists all organizations',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: pageQuery,
    responses: { 200: array(Organization) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      return listedOrganizations(context, await listAllOrganizations(context, page), page, request);
    },
  }),
  userRoute({
    method: 'GET',
    path: '/admin/users/:username/orgs',
    id: 'adminListUserOrgs',
    summary: 'Lists the organizations of a user',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    hidden: true,
    query: pageQuery,
    responses: { 200: array(Organization) },
    handle: async ({ user, query, request }, context) => {
      const page = pageOf(context, query);
      return listedOrganizations(context, await listOrganizationsOf(context, user, page), page, request);
    },
  }),
  userRoute({
    method: 'POST',
    path: '/admin/users/:username/orgs',
    id: 'adminCreateOrg',
    summary: 'Creates an organization that a user owns',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username: { description: 'name of the new owner' } },
    body: CreateOrgOption,
    bodyParameter: { name: 'organization', required: true },
    responses: { 201: Organization },
    // Like the reference, it leaves out what only the organization's owners decide.
    handle: async ({ user, body: { email: _, repo_admin_change_team_access: __, ...body } }, context) =>
      presentOrganization(context, await createOrganization(context, user, newOrganization(body))),
  }),
];
