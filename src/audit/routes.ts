import { orgOwner, signedIn, siteAdmin } from '../access/requirements.ts';
import { organizationRoute } from '../access/routes.ts';
import { listed, pageOf } from '../http/paging.ts';
import { type AnyRoute, pageQuery, query, route } from '../http/route.ts';
import { array } from '../http/schema.ts';
import { listEntries, presentEntry } from './list.ts';
import { AuditEntry } from './schema.ts';

const filterQuery = {
  actor: query.string('name of the account that acted'),
  action: query.string('an action, such as `token.create`'),
  object: query.string('what was acted on: `repository:owner/name`, `repository:7`, `user:alice`, `organization:acme`, `instance`'),
  since: query.string('only entries from then on (RFC 3339)', { format: 'date-time' }),
  until: query.string('only entries before then (RFC 3339)', { format: 'date-time' }),
  request_id: query.string('the id of a request'),
  ...pageQuery,
};

/** The audit log. */
export const auditRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/audit',
    id: 'adminListAuditEntries',
    summary: 'Lists the entries of the audit log, the latest first',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: filterQuery,
    responses: { 200: array(AuditEntry) },
    handle: async ({ query }, context) => {
      const { rows, total } = await listEntries(context, query, pageOf(context, query));
      return listed(
        rows.map((row) => presentEntry(row, true)),
        total,
      );
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/audit',
    id: 'orgListAuditEntries',
    summary:
      'Lists the entries of the audit log about an organization, its teams and what belongs to it, the latest first, without addresses',
    scope: 'organization',
    needs: [signedIn, orgOwner],
    query: filterQuery,
    responses: { 200: array(AuditEntry) },
    handle: async ({ query, organization }, context) => {
      const { rows, total } = await listEntries(context, query, pageOf(context, query), organization.id);
      return listed(
        rows.map((row) => presentEntry(row, false)),
        total,
      );
    },
  }),
];
