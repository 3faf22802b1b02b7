import { canWrite, notArchived, signedIn, unitOn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import { decodeBase64 } from '../code/contents/base64.ts';
import { serveRawFile } from '../code/raw/raw.ts';
import type { Context } from '../context.ts';
import { commitDiff } from '../git/diff/diff.ts';
import { badRequest, HttpError, notFound } from '../http/errors.ts';
import { listed, pageHeaders, pageOf } from '../http/paging.ts';
import { empty, HttpResponse, raw } from '../http/responses.ts';
import { type AnyRoute, pageQuery, type RequestParts } from '../http/route.ts';
import { array, ref } from '../http/schema.ts';
import { createPage, deletePage, editPage } from './change.ts';
import { pageOfPath, pageOfTitle } from './names.ts';
import { getPage, listPages, listRevisions, rawWikiFile } from './pages.ts';
import { presentListedPage, presentPage, presentWikiCommit } from './present.ts';
import { wikiCommit } from './revisions.ts';
import { CreateWikiPageOptions, WikiCommitList, WikiPage, WikiPageMetaData } from './schema.ts';

const PATH = '/repos/:owner/:repo/wiki';
const reading = { scope: 'repository', needs: [unitOn('wiki')] } as const;
const writing = { scope: 'repository', needs: [unitOn('wiki'), signedIn, notArchived, canWrite('wiki')] } as const;
/** A change of an archived wiki is refused before the caller is authenticated. */
const changing = { ...writing, needs: [unitOn('wiki'), notArchived, signedIn, canWrite('wiki')] } as const;
const texts = { body: CreateWikiPageOptions, bodyLimit: ({ settings }: Context) => settings.limits.contentsBody } as const;
const parameters = { pageName: { description: 'the name of the page in addresses' } } as const;

/** Pages of wikis. */
export const wikiRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/pages`,
    id: 'repoGetWikiPages',
    summary: 'Lists the pages of a wiki',
    query: pageQuery,
    responses: { 200: array(ref(WikiPageMetaData)) },
    handle: async ({ repository, query, request }, context) => {
      // A limit of one is none to the clients of this route: they get as many as without.
      const page = pageOf(context, query.limit === 1 ? { page: query.page } : query);
      const { pages, total } = await listPages(context, repository, page);
      const shown = pages.map((one) => presentListedPage(context, repository, one));
      return listed(shown, total, { url: request.url, ...page });
    },
  }),
  repositoryRoute({
    ...writing,
    ...texts,
    method: 'POST',
    path: `${PATH}/new`,
    id: 'repoCreateWikiPage',
    summary: 'Creates a page of a wiki',
    responses: { 201: WikiPage },
    also: [400, 409],
    handle: async ({ repository, body }, context) => {
      const { title = '', message } = body;
      if (title.trim() === '') throw badRequest('the page has no title');
      const page = pageOfTitle(title);
      await createPage(context, repository, page, await textOf(body.content_base64 ?? ''), message || `Add ${JSON.stringify(title)}`);
      return presentPage(context, repository, await getPage(context, repository, page));
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/page/:pageName`,
    id: 'repoGetWikiPage',
    summary: 'Gets a page of a wiki',
    parameters,
    responses: { 200: WikiPage },
    handle: async ({ repository, request }, context) =>
      presentPage(context, repository, await getPage(context, repository, pageIn(request))),
  }),
  repositoryRoute({
    ...changing,
    ...texts,
    method: 'PATCH',
    path: `${PATH}/page/:pageName`,
    id: 'repoEditWikiPage',
    summary: 'Changes a page of a wiki, or its title',
    parameters,
    responses: { 200: WikiPage },
    also: [400, 409],
    handle: async ({ repository, request, body }, context) => {
      const { title, content_base64: given, message } = body;
      const page = pageIn(request);
      const newPage = title?.trim() ? pageOfTitle(title) : page;
      await editPage(context, repository, page, {
        newPage,
        content: given === undefined ? undefined : await textOf(given),
        message: message || `Update ${JSON.stringify(newPage)}`,
      });
      return presentPage(context, repository, await getPage(context, repository, newPage));
    },
  }),
  repositoryRoute({
    ...changing,
    method: 'DELETE',
    path: `${PATH}/page/:pageName`,
    id: 'repoDeleteWikiPage',
    summary: 'Deletes a page of a wiki',
    parameters,
    responses: { 204: null },
    also: [409],
    handle: async ({ repository, request }, context) => {
      await deletePage(context, repository, pageIn(request));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...reading,
    method: 'GET',
    path: `${PATH}/revisions/:pageName`,
    id: 'repoGetWikiPageRevisions',
    summary: 'Lists the commits that changed a page of a wiki, the newest first',
    parameters,
    query: { page: pageQuery.page },
    responses: { 200: WikiCommitList },
    handle: async ({ repository, request, query }, context) => {
      const { page } = pageOf(context, query);
      const { commits, total } = await listRevisions(context, repository, pageIn(request), page);
      return new HttpResponse({ commits: commits.map(presentWikiCommit), count: total }, { headers: pageHeaders(total) });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/wiki/raw/*',
    download: true,
    id: 'downloadWikiFile',
    summary: 'Serves the bytes of a file or a page of a wiki, at the URL that its pages name',
    scope: 'repository',
    needs: [unitOn('wiki')],
    hidden: true,
    responses: { 200: null },
    handle: async ({ repository, params, request }, context) =>
      serveRawFile(context, repository, await rawWikiFile(context, repository, params['*'], pageUnderRaw(request)), request),
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/wiki/commit/:sha.:diffType(^diff|patch$)',
    download: true,
    id: 'wikiCommitDiffOrPatchPage',
    summary: 'Returns what a commit of a wiki changed, as a diff or as a patch, at the URL of its page',
    scope: 'repository',
    needs: [unitOn('wiki')],
    hidden: true,
    responses: { 200: null },
    handle: async ({ repository, params: { sha, diffType } }, context) => {
      const { oid } = await wikiCommit(context, repository, sha);
      const changes = await commitDiff(context.git.locateWiki(repository), context.git.pool, oid, diffType === 'patch' ? 'patch' : 'diff');
      if (!changes) throw notFound();
      return raw(changes, 'text/plain; charset=utf-8');
    },
  }),
];

/** The name of the page at the end of the path, as the client escaped it: `%2F` and `/`, `+` and `%2B` are not the same in it. */
function pageIn({ raw }: RequestParts): string {
  const path = (raw.url ?? '').replace(/[?#].*$/s, '');
  // A slash at the end is one too many, as with every route.
  return pageOfPath(path.split('/').findLast((part) => part !== '') ?? '');
}

/** The name of the page whose bytes are requested; it may contain a slash. */
function pageUnderRaw({ raw }: RequestParts): string {
  return pageOfPath((raw.url ?? '').replace(/[?#].*$/s, '').replace(/^(?:\/[^/]*){2,}?\/wiki\/raw\//, ''));
}

/** @throws HttpError 400 */
async function textOf(base64: string): Promise<Buffer> {
  try {
    return await decodeBase64(base64);
  } catch (error) {
    throw error instanceof HttpError ? badRequest(error.message) : error;
  }
}
