import { orgOwner, orgVisible, signedIn } from '../access/requirements.ts';
import { organizationRoute } from '../access/routes.ts';
import { deleteAvatar, setAvatar } from '../accounts/avatars/avatars.ts';
import { UpdateUserAvatarOption } from '../accounts/avatars/schema.ts';
import { renameAccount } from '../accounts/rename.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import { listed, type Page, pageOf } from '../http/paging.ts';
import { empty, type HttpResponse } from '../http/responses.ts';
import { type AnyRoute, pageQuery, type RequestParts, route } from '../http/route.ts';
import { array, type Shape } from '../http/schema.ts';
import { createOrganization, type OrganizationOptions } from './create.ts';
import { listOrganizations, type OrganizationPage } from './list.ts';
import { deleteOrganization, editOrganization } from './organizations.ts';
import { presentOrganization } from './present.ts';
import { CreateOrgOption, EditOrgOption, Organization, RenameOrgOption } from './schema.ts';

const org = { description: 'name of the organization' };

/** Routes about organizations themselves. */
export const organizationRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/orgs',
    id: 'orgGetAll',
    summary: 'Lists the organizations that the caller may find',
    scope: 'organization',
    query: pageQuery,
    responses: { 200: array(Organization) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      return listedOrganizations(context, await listOrganizations(context, page), page, request);
    },
  }),
  route({
    method: 'POST',
    path: '/orgs',
    id: 'orgCreate',
    summary: 'Creates an organization',
    scope: 'organization',
    needs: [signedIn],
    body: CreateOrgOption,
    bodyParameter: { name: 'organization', required: true },
    responses: { 201: Organization },
    handle: async ({ body }, context) =>
      presentOrganization(context, await createOrganization(context, signedInActor(context), newOrganization(body))),
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org',
    id: 'orgGet',
    summary: 'Gets an organization',
    scope: 'organization',
    needs: [orgVisible('HasOrgOrUserVisible')],
    parameters: { org },
    responses: { 200: Organization },
    handle: async ({ organization }, context) => {
      const shown = presentOrganization(context, organization);
      // As in Gitea, whose lists show the address to everybody.
      return context.actor ? shown : { ...shown, email: '' };
    },
  }),
  organizationRoute({
    method: 'PATCH',
    path: '/orgs/:org',
    id: 'orgEdit',
    summary: 'Changes an organization',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org },
    body: EditOrgOption,
    bodyParameter: { required: true },
    responses: { 200: Organization },
    handle: async ({ organization, body }, context) => {
      const changes = {
        fullName: body.full_name,
        email: body.email,
        description: body.description,
        website: body.website,
        location: body.location,
        visibility: body.visibility || undefined,
        repoAdminChangeTeamAccess: body.repo_admin_change_team_access,
      };
      return presentOrganization(context, await editOrganization(context, organization, changes));
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org',
    id: 'orgDelete',
    summary: 'Removes an organization that has no repositories',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org },
    responses: { 204: null },
    handle: async ({ organization }, context) => {
      await deleteOrganization(context, organization);
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/rename',
    id: 'renameOrg',
    summary: 'Renames an organization',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org },
    body: RenameOrgOption,
    bodyParameter: { required: true },
    responses: { 204: null },
    handle: async ({ organization, body }, context) => {
      await renameAccount(context, organization, body.new_name);
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/avatar',
    id: 'orgUpdateAvatar',
    summary: 'Sets the avatar of an organization',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org },
    body: UpdateUserAvatarOption,
    // Base64 takes a third more, and line breaks some.
    bodyLimit: ({ settings }) => settings.avatars.maxSize * 2,
    responses: { 204: null },
    also: [400],
    handle: async ({ organization, body }, context) => {
      await setAvatar(context, organization, body.image ?? '');
      return empty(204);
    },
  }),
  organizationRoute({
    method: 'DELETE',
    path: '/orgs/:org/avatar',
    id: 'orgDeleteAvatar',
    summary: 'Removes the avatar of an organization',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    parameters: { org },
    responses: { 204: null },
    handle: async ({ organization }, context) => {
      await deleteAvatar(context, organization);
      return empty(204);
    },
  }),
];

/** A page of organizations, as in lists. */
export function listedOrganizations(context: Context, found: OrganizationPage, page: Page, { url }: RequestParts): HttpResponse {
  const organizations = found.organizations.map((organization) => presentOrganization(context, organization));
  return listed(organizations, found.total, { url, ...page });
}

/** The fields of a new organization in a request. */
export function newOrganization(body: Shape<typeof CreateOrgOption>): OrganizationOptions {
  return {
    name: body.username,
    fullName: body.full_name ?? '',
    email: body.email ?? '',
    description: body.description ?? '',
    website: body.website ?? '',
    location: body.location ?? '',
    ...(body.visibility && { visibility: body.visibility }),
    repoAdminChangeTeamAccess: body.repo_admin_change_team_access ?? false,
  };
}
