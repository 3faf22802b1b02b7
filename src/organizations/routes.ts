import type { User } from '../database/tables/accounts.ts';
import { orgVisible, signedIn } from '../http/requirements.ts';
import { type AnyRoute, route } from '../http/route.ts';
import type { Shape } from '../http/schema.ts';
import { createOrganization, type OrganizationOptions } from './create.ts';
import { presentOrganization } from './present.ts';
import { CreateOrgOption, Organization } from './schema.ts';

/** Routes about organizations themselves. */
export const organizationRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/orgs',
    id: 'orgCreate',
    summary: 'Creates an organization',
    scope: 'organization',
    needs: [signedIn],
    body: CreateOrgOption,
    bodyParameter: { name: 'organization', required: true },
    answers: { 201: Organization },
    handle: async ({ body }, context) =>
      presentOrganization(context, await createOrganization(context, context.doer as User, optionsFrom(body))),
  }),
  route({
    method: 'GET',
    path: '/orgs/:org',
    id: 'orgGet',
    summary: 'Gets an organization',
    scope: 'organization',
    needs: [orgVisible('HasOrgOrUserVisible')],
    answers: { 200: Organization },
    handle: async ({ organization }, context) => presentOrganization(context, organization),
  }),
];

function optionsFrom(body: Shape<typeof CreateOrgOption>): OrganizationOptions {
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
