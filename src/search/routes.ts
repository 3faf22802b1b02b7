import { canRead, explore } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { pageHeaders, pageOf } from '../http/paging.ts';
import { HttpResponse } from '../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../http/route.ts';
import type { Scope } from './find/scope.ts';
import { SEARCH_SORTS, searchCode } from './find/search.ts';
import { presentResults } from './present.ts';
import { SEARCH_MODES } from './query/query.ts';
import { type RequestedSearch, requestedQuery, requestedSort, searchOrRefuse } from './requested.ts';
import { CodeSearchResults } from './schema.ts';

const searchQuery = {
  q: query.string(
    'words, "exact phrases", /regular expressions/ and qualifiers: path:src/*.ts, language:go, -path:vendor, repo:owner/name, user:name, org:name, case:yes',
  ),
  mode: query.string('how `q` is read: words (when left out), exact, or regexp', { enum: SEARCH_MODES }),
  language: query.string('only files of this language'),
  path: query.string('only files whose path has this part, or matches this pattern with * and ?'),
  sort: query.string('relevance (when left out) or path', { enum: SEARCH_SORTS }),
  ...pageQuery,
};

/** Search in code. */
export const searchRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/search/code',
    id: 'searchCode',
    summary: 'Searches the default branches of all repositories whose code the caller may read',
    scope: 'repository',
    tag: 'repository',
    semaphore: 'searches',
    when: ({ codeSearch }) => codeSearch.enabled,
    needs: [explore],
    query: {
      ...searchQuery,
      repo: query.list('only in these repositories: owner/name, separated by commas'),
      owner: query.string('only in repositories of this user or organization'),
    },
    responses: { 200: CodeSearchResults },
    handle: async ({ query: { repo, ...given }, request }, context) =>
      results(context, {}, { ...given, repositories: repo, page: pageOf(context, given), url: request.url }),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/search/code',
    id: 'repoSearchCode',
    summary: 'Searches the default branch of a repository',
    scope: 'repository',
    semaphore: 'searches',
    when: ({ codeSearch }) => codeSearch.enabled,
    needs: [canRead('code')],
    query: searchQuery,
    responses: { 200: CodeSearchResults },
    handle: async ({ query, repository, request }, context) =>
      results(context, { repositoryId: repository.id }, { ...query, page: pageOf(context, query), url: request.url }),
  }),
];

/** The header with the total is only sent if it is exact. */
async function results(
  context: Context,
  scope: Scope,
  { page, url, ...requested }: RequestedSearch & { page: ReturnType<typeof pageOf>; url: string },
): Promise<HttpResponse> {
  const query = requestedQuery(requested);
  const sort = requestedSort(requested.sort);
  const found = await searchOrRefuse(() => searchCode(context, scope, query, { page, sort }));
  const isExact = !found.isIncomplete && !found.isPending;
  return new HttpResponse(presentResults(context, found), isExact ? { headers: pageHeaders(found.total, { link: { url, ...page } }) } : {});
}
