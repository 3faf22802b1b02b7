import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { any } from '../../http/schema.ts';
import { COPSE_VERSION } from '../version.ts';
import { NodeInfo } from './schema.ts';

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema/2.1';
const DAY = 86_400;

/** NodeInfo: the instance's metadata for other software (https://nodeinfo.diaspora.software). */
export const nodeInfoRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//.well-known/nodeinfo',
    id: 'discoverNodeInfo',
    summary: 'Gets the URL of the node information',
    open: true,
    when: ({ federation }) => federation.enabled,
    responses: { 200: any() },
    handle: async (_, { settings }) => ({ links: [{ href: `${settings.server.rootUrl}api/v1/nodeinfo`, rel: SCHEMA }] }),
  }),
  route({
    method: 'GET',
    path: '/nodeinfo',
    id: 'getNodeInfo',
    summary: 'Gets the node information',
    tag: 'miscellaneous',
    scope: 'activitypub',
    when: ({ federation }) => federation.enabled,
    responses: { 200: NodeInfo },
    handle: async (_, context) => {
      const { federation, registration, server } = context.settings;
      return {
        version: '2.1',
        software: { name: 'copse', version: COPSE_VERSION, repository: '', homepage: server.rootUrl },
        protocols: ['activitypub'],
        services: { inbound: [], outbound: [] },
        openRegistrations: registration.enabled,
        usage: federation.shareUserStatistics
          ? await usage(context)
          : { users: { total: 0, activeHalfyear: 0, activeMonth: 0 }, localPosts: 0 },
        metadata: {},
      };
    },
  }),
];

async function usage({ db }: Context) {
  const people = (since: number) =>
    db
      .selectFrom('users')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('type', '=', 'individual')
      .where('last_login_at', '>=', since)
      .executeTakeFirstOrThrow();
  const [total, halfyear, month, posts] = await Promise.all([
    people(0),
    people(now() - 180 * DAY),
    people(now() - 30 * DAY),
    db
      .selectFrom('repositories')
      .select((select) => [select.fn.sum<number>('issues_count').as('issues'), select.fn.sum<number>('pulls_count').as('pulls')])
      .executeTakeFirstOrThrow(),
  ]);
  return {
    users: { total: total.count, activeHalfyear: halfyear.count, activeMonth: month.count },
    localPosts: (posts.issues ?? 0) + (posts.pulls ?? 0),
  };
}
