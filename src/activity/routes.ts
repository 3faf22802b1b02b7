import { heatmapOn, signedIn, teamMember } from '../access/requirements.ts';
import { organizationRoute, repositoryRoute, teamRoute, visibleUserRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { listed, pageOf } from '../http/paging.ts';
import { type AnyRoute, pageQuery, query } from '../http/route.ts';
import { array, ref } from '../http/schema.ts';
import { upToDate } from './caught-up.ts';
import { type FeedFilter, listFeed, seesPrivateFeed } from './feeds.ts';
import { heatmap } from './heatmap.ts';
import { presentActivities } from './present.ts';
import { Activity, UserHeatmapData } from './schema.ts';

const feedQuery = { date: query.string('only what happened on this day', { format: 'date' }), ...pageQuery };
const responses = { 200: array(ref(Activity)) };

/** @param link whether the response links to the other pages */
async function feed(
  context: Context,
  filter: FeedFilter,
  query: { page?: number | undefined; limit?: number | undefined },
  link?: { url: string },
) {
  const page = pageOf(context, query);
  await upToDate(context);
  const { activities, total } = await listFeed(context, filter, page);
  return listed(await presentActivities(context, activities), total, link && { ...link, ...page });
}

/** Activity feeds. */
export const activityRoutes: readonly AnyRoute[] = [
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/activities/feeds',
    id: 'userListActivityFeeds',
    summary: 'Lists what happened to a user, the latest first',
    scope: 'user',
    needs: [],
    parameters: { username: { description: 'name of the user' } },
    query: { 'only-performed-by': query.boolean('only what the user did'), ...feedQuery },
    responses,
    handle: async ({ user, query }, context) => {
      const { actor } = context;
      const withPrivate = actor !== null && (actor.is_admin || actor.id === user.id);
      const filter = { owner: user, onlyPerformed: query['only-performed-by'], date: query.date, withPrivate };
      return feed(context, filter, query);
    },
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/heatmap',
    id: 'userGetHeatmapData',
    summary: 'Counts the activities of a user, by quarters of an hour',
    scope: 'user',
    needs: [heatmapOn],
    parameters: { username: { description: 'name of the user' } },
    responses: { 200: array(ref(UserHeatmapData)) },
    handle: async ({ user }, context) => {
      await upToDate(context);
      return heatmap(context, user);
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/activities/feeds',
    id: 'orgListActivityFeeds',
    summary: 'Lists what happened in an organization, the latest first',
    scope: 'organization',
    needs: [],
    parameters: { org: { description: 'name of the organization' } },
    query: feedQuery,
    responses,
    handle: async ({ organization, query }, context) => {
      const withPrivate = await seesPrivateFeed(context, organization);
      return feed(context, { owner: organization, date: query.date, withPrivate }, query);
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/teams/:id/activities/feeds',
    id: 'orgListTeamActivityFeeds',
    summary: 'Lists what happened in the repositories of a team, the latest first',
    scope: 'organization',
    needs: [signedIn, teamMember],
    parameters: { id: { type: 'integer', format: 'int64', description: 'id of the team' } },
    query: feedQuery,
    responses,
    handle: async ({ team, organization, query, request }, context) =>
      feed(context, { owner: organization, team, date: query.date, withPrivate: true }, query, { url: request.url }),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/activities/feeds',
    id: 'repoListActivityFeeds',
    summary: 'Lists what happened in a repository, the latest first',
    scope: 'repository',
    needs: [],
    query: feedQuery,
    responses,
    handle: async ({ repository, query }, context) => feed(context, { repository, date: query.date, withPrivate: true }, query),
  }),
];
