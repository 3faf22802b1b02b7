import { orgMember, signedIn, siteAdmin } from '../../access/requirements.ts';
import { organizationRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { unauthorized } from '../../http/errors.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { jobQuery, jobsResponse, runQuery, runsResponse } from './list-responses.ts';
import { ActionWorkflowJobsResponse, ActionWorkflowRunsResponse } from './schema.ts';

/** Runs and jobs of all repositories of an organization, of the caller, or of the instance. */
export const ownerRunRoutes: readonly AnyRoute[] = [
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/actions/runs',
    id: 'getOrgWorkflowRuns',
    summary: 'Lists the runs of an organization, the newest first',
    scope: 'organization',
    needs: [signedIn, orgMember],
    query: runQuery,
    responses: { 200: ActionWorkflowRunsResponse },
    also: [400],
    handle: ({ organization, query, request }, context) =>
      runsResponse(context, { ownerId: organization.id, visibleTo: context }, query, request),
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/actions/jobs',
    id: 'getOrgWorkflowJobs',
    summary: 'Lists the jobs of an organization',
    scope: 'organization',
    needs: [signedIn, orgMember],
    query: jobQuery,
    responses: { 200: ActionWorkflowJobsResponse },
    also: [400],
    handle: ({ organization, query, request }, context) =>
      jobsResponse(context, { ownerId: organization.id, visibleTo: context }, query, request),
  }),
  route({
    method: 'GET',
    path: '/user/actions/runs',
    id: 'getUserWorkflowRuns',
    summary: 'Lists the runs of the own repositories, the newest first',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    query: runQuery,
    responses: { 200: ActionWorkflowRunsResponse },
    also: [400],
    handle: ({ query, request }, context) => runsResponse(context, { ownerId: callerId(context) }, query, request),
  }),
  route({
    method: 'GET',
    path: '/user/actions/jobs',
    id: 'getUserWorkflowJobs',
    summary: 'Lists the jobs of the own repositories',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    query: jobQuery,
    responses: { 200: ActionWorkflowJobsResponse },
    also: [400],
    handle: ({ query, request }, context) => jobsResponse(context, { ownerId: callerId(context) }, query, request),
  }),
  route({
    method: 'GET',
    path: '/admin/actions/runs',
    id: 'listAdminWorkflowRuns',
    summary: 'Lists the runs of the instance, the newest first',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: runQuery,
    responses: { 200: ActionWorkflowRunsResponse },
    also: [400],
    handle: ({ query, request }, context) => runsResponse(context, {}, query, request),
  }),
  route({
    method: 'GET',
    path: '/admin/actions/jobs',
    id: 'listAdminWorkflowJobs',
    summary: 'Lists the jobs of the instance',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: jobQuery,
    responses: { 200: ActionWorkflowJobsResponse },
    also: [400],
    handle: ({ query, request }, context) => jobsResponse(context, {}, query, request),
  }),
];

function callerId({ actor }: Context): number {
  if (!actor) throw unauthorized('token is required');
  return actor.id;
}
