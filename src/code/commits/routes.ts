import type { Repository } from '../../access/find-repository.ts';
import { canRead, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { commitDiff } from '../../git/diff/diff.ts';
import { resolveCommit } from '../../git/refs/revisions.ts';
import { NotFoundOrNull } from '../../http/description/error-schema.ts';
import { notFound } from '../../http/errors.ts';
import { pageHeaders } from '../../http/paging.ts';
import { HttpResponse, text } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array, ref, string } from '../../http/schema.ts';
import { wholeId } from '../revision.ts';
import { type CommitPage, type CommitQuery, getCommit, pageOfCommits } from './commits.ts';
import { type CommitParts, presentCommit, presentCommits } from './present.ts';
import { Commit } from './schema.ts';

/** The parts of each commit to include. */
const partsQuery = {
  stat: query.boolean('whether the changed lines are counted; they are unless this says no'),
  verification: query.boolean('whether the verification of signatures is included; true by default'),
  files: query.boolean('whether the changed files are listed; they are unless this says no'),
};

/** The id of a commit, which may be abbreviated. */
const COMMIT_ID = /^[a-f0-9]{7,64}$/;

/** The history of a repository and its commits. */
export const commitRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/commits',
    id: 'repoGetAllCommits',
    summary: 'Lists commits, the newest first',
    scope: 'repository',
    needs: [canRead('code')],
    query: {
      sha: query.string('the branch, tag or commit to begin with; the default branch if left out'),
      path: query.string('only commits that changed this file or folder'),
      since: query.string('only commits after this moment (RFC 3339)', { format: 'date-time' }),
      until: query.string('only commits before this moment (RFC 3339)', { format: 'date-time' }),
      ...partsQuery,
      ...pageQuery,
      not: query.string('leaves out the commits that this revision has'),
    },
    responses: { 200: array(ref(Commit)), 404: NotFoundOrNull },
    also: [409],
    handle: async ({ repository, query, request }, context) => listOfCommits(context, repository, query, request.url),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/commits/:sha',
    id: 'repoGetSingleCommit',
    summary: 'Gets a commit',
    scope: 'repository',
    needs: [canRead('code')],
    query: partsQuery,
    parameters: { sha: { description: 'the id of the commit, or a branch or tag' } },
    responses: { 200: Commit },
    handle: async ({ repository, params, query }, context) =>
      presentCommit(context, repository, await getCommit(context, repository, params.sha), query),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/commits/:sha.:diffType(^diff|patch$)',
    id: 'repoDownloadCommitDiffOrPatch',
    summary: 'Returns what a commit changed, as a diff or as a patch',
    scope: 'repository',
    needs: [canRead('code')],
    produces: ['text/plain'],
    parameters: {
      sha: { description: 'the id of the commit' },
      diffType: { description: 'diff or patch', enum: ['diff', 'patch'] },
    },
    responses: { 200: string() },
    handle: async ({ repository, params: { sha, diffType } }, context) =>
      // As in Gitea, a name with a dot is not cut before the last one.
      changesResponse(context, repository, { sha: sha.includes('.') ? `${sha}.${diffType}` : sha, diffType }),
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/commit/:sha.:diffType(^diff|patch$)',
    download: true,
    id: 'commitDiffOrPatchPage',
    summary: 'Returns what a commit changed, as a diff or as a patch, at the URL of its page',
    scope: 'repository',
    needs: [unitOn('code')],
    hidden: true,
    responses: { 200: null },
    handle: async ({ repository, params }, context) => {
      // Branches and tags have pages of commits, but no files of them.
      if (!COMMIT_ID.test(params.sha)) throw notFound();
      return await changesResponse(context, repository, params);
    },
  }),
];

async function changesResponse(
  context: Context,
  repository: Repository,
  { sha, diffType }: { sha: string; diffType: string },
): Promise<HttpResponse> {
  const folder = context.git.locate(repository);
  // Unlike the commit itself, its changes are also found by revisions such as `main~1`.
  const oid = (await resolveCommit(folder, context.git.pool, wholeId(sha))) ?? (await getCommit(context, repository, sha)).oid;
  const changes = await commitDiff(folder, context.git.pool, oid, diffType === 'patch' ? 'patch' : 'diff');
  if (!changes) throw notFound(null, `commit doesn't exist: ${sha}`);
  return new HttpResponse(changes, { headers: { 'content-type': text('').headers['content-type'] ?? '' }, raw: true });
}

async function listOfCommits(
  context: Context,
  repository: Repository,
  query: CommitQuery & CommitParts,
  url: string,
): Promise<HttpResponse> {
  const found = await pageOfCommits(context, repository, query);
  const commits = await presentCommits(context, repository, found.commits, query);
  return new HttpResponse(commits, { headers: commitHeaders(found, url) });
}

/** The usual headers of lists, and the older ones of lists of commits. */
function commitHeaders({ total, page }: CommitPage, url: string): Record<string, string> {
  const headers = pageHeaders(total, { link: { url, ...page } });
  const pages = Math.ceil(total / page.limit);
  return {
    ...headers,
    'x-page': String(page.page),
    'x-perpage': String(page.limit),
    'x-total': String(total),
    'x-pagecount': String(pages),
    'x-hasmore': String(page.page < pages),
    'access-control-expose-headers': `${headers['access-control-expose-headers']}, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore`,
  };
}
