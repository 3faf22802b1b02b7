import { fullName, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { AnyRoute } from '../../http/route.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { commitFeed } from './commits.ts';
import { feedResponse, feedTypeOf } from './document.ts';
import { releaseItems, tagItems } from './releases.ts';
import { common } from './routes.ts';

const ofRepository = { ...common, scope: 'repository' } as const;

/** Releases, tags and commits for feed readers. */
export const codeFeedRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...ofRepository,
    path: '//:owner/:repo/releases.:feedType(^rss|atom$)',
    id: 'releasesFeed',
    summary: 'The latest releases of a repository, for feed readers',
    needs: [unitOn('releases')],
    handle: async ({ repository, params }, context) =>
      feedResponse(feedTypeOf(params.feedType), {
        title: `Releases for ${fullName(repository)}`,
        link: `${repositoryHtmlUrl(context.settings, repository)}/release`,
        description: repository.description,
        items: await releaseItems(context, repository),
      }),
  }),
  repositoryRoute({
    ...ofRepository,
    path: '//:owner/:repo/tags.:feedType(^rss|atom$)',
    id: 'tagsFeed',
    summary: 'The latest tags of a repository, for feed readers',
    needs: [unitOn('code')],
    handle: async ({ repository, access, params }, context) =>
      feedResponse(feedTypeOf(params.feedType), {
        title: `Tags for ${fullName(repository)}`,
        link: `${repositoryHtmlUrl(context.settings, repository)}/tags`,
        description: repository.description,
        items: await tagItems(context, repository, access.canRead('releases')),
      }),
  }),
  repositoryRoute({
    ...ofRepository,
    path: '//:owner/:repo/:feedType(^rss|atom$)/branch/*',
    id: 'commitsFeed',
    summary: 'The latest commits of a branch, or of a file in it, for feed readers',
    needs: [unitOn('code')],
    also: [303],
    handle: async ({ repository, params, request }, context) =>
      feedResponse(feedTypeOf(params.feedType), await commitFeed(context, repository, params['*'], request.url)),
  }),
];
