import { fullName } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { htmlUrl } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { pageOf } from '../../http/paging.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, query, routeLoading } from '../../http/route.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { upToDate } from '../caught-up.ts';
import { type FeedFilter, listFeed, seesPrivateFeed } from '../feeds.ts';
import { type FeedDocument, feedResponse, feedTypeOf } from './document.ts';
import { activityItems } from './items.ts';
import { loadFeedOwner } from './load.ts';
import { rendererOf } from './render.ts';

/** The common parts of all feed routes. */
export const common = {
  method: 'GET',
  download: true,
  hidden: true,
  semaphore: 'renders',
  when: (settings: Context['settings']) => settings.repository.feedsEnabled,
  responses: { 200: null },
} as const;

const dateQuery = { date: query.string('only what happened on this day', { format: 'date' }) };

const feedOwnerRoute = routeLoading(loadFeedOwner, [307]);

/** Activity for feed readers. */
export const activityFeedRoutes: readonly AnyRoute[] = [
  feedOwnerRoute({
    ...common,
    path: '//:username.:feedType(^rss|atom$)',
    id: 'userFeed',
    summary: 'What a user did, or what happened in an organization, for feed readers',
    query: dateQuery,
    handle: async ({ user, params, query }, context) => {
      const { actor } = context;
      const isOrganization = user.type === 'organization';
      const isOwn = actor !== null && (actor.is_admin || actor.id === user.id);
      const withPrivate = isOrganization ? await seesPrivateFeed(context, user) : isOwn;
      const render = await rendererOf(context);
      return activityFeed(
        context,
        params.feedType,
        { owner: user, onlyPerformed: !isOrganization, date: query.date, withPrivate },
        {
          title: feedOf(user.full_name.trim() || user.name),
          link: htmlUrl(context, user),
          description: await render(user.description),
        },
      );
    },
  }),
  repositoryRoute({
    ...common,
    path: '//:owner/:repo.:feedType(^rss|atom$)',
    id: 'repoFeed',
    summary: 'What happened in a repository, for feed readers',
    scope: 'repository',
    query: dateQuery,
    handle: async ({ repository, params, query }, context) =>
      activityFeed(
        context,
        params.feedType,
        { repository, date: query.date, withPrivate: true },
        {
          title: feedOf(fullName(repository)),
          link: repositoryHtmlUrl(context.settings, repository),
          description: repository.description,
        },
      ),
  }),
];

function feedOf(name: string): string {
  return `Feed of "${name}"`;
}

async function activityFeed(context: Context, type: string, filter: FeedFilter, about: Omit<FeedDocument, 'items'>): Promise<HttpResponse> {
  await upToDate(context);
  const { activities } = await listFeed(context, filter, pageOf(context, {}));
  return feedResponse(feedTypeOf(type), { ...about, items: await activityItems(context, activities) });
}
