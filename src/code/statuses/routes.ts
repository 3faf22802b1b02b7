import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { canRead, canWrite, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { resolveRef } from '../../git/refs/revisions.ts';
import { notFound } from '../../http/errors.ts';
import { only } from '../../http/only.ts';
import { listed, pageHeaders, pageOf } from '../../http/paging.ts';
import { HttpResponse, text } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentRepository } from '../../repositories/present.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { missingObject } from '../revision.ts';
import { presentStatuses } from './present.ts';
import { CombinedStatus, CommitStatus, CreateStatusOption } from './schema.ts';
import { combinedStatus, createStatus, listStatuses } from './statuses.ts';

/** Minimum number of digits of an abbreviated commit id. */
const MIN_PREFIX = 7;

const filterQuery = {
  sort: query.string('the order', { enum: ['oldest', 'recentupdate', 'leastupdate', 'leastindex', 'highestindex'] }),
  state: query.string('only reports that say this', { enum: ['pending', 'success', 'error', 'failure', 'warning'] }),
  ...pageQuery,
};
const REVISION = { ref: { description: 'the branch, tag or commit' } };
const SHA = { sha: { description: 'the id of the commit' } };

/** Commit statuses. */
export const statusRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/statuses/:sha',
    id: 'repoListStatuses',
    summary: 'Lists the statuses of a commit',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: SHA,
    query: filterQuery,
    responses: { 200: array(ref(CommitStatus)) },
    handle: ({ repository, params, query, request }, context) => listResponse(context, repository, params.sha, query, request.url),
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/statuses/:sha',
    id: 'repoCreateStatus',
    summary: 'Sets the status of a commit, such as the result of a check',
    scope: 'repository',
    needs: [canRead('code'), signedIn, canWrite('code')],
    parameters: SHA,
    body: CreateStatusOption,
    responses: { 201: CommitStatus },
    handle: async ({ repository, params, body }, context) => {
      return only(await presentStatuses(context, repository, [await createStatus(context, repository, params.sha, body)]));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/statuses',
    id: 'repoListStatusesByRef',
    summary: 'Lists the statuses of the commit of a branch or tag',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: REVISION,
    query: filterQuery,
    responses: { 200: array(ref(CommitStatus)) },
    handle: ({ repository, params, query, request }, context) => listByRef(context, repository, params.ref, query, request.url),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:ref/status',
    id: 'repoGetCombinedStatusByRef',
    summary: 'Returns the combined status of the commit of a branch or tag',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: REVISION,
    query: pageQuery,
    responses: { 200: CombinedStatus },
    handle: ({ repository, access, params, query, request }, context) =>
      combinedResponse(context, { repository, access }, params.ref, query, request.url),
  }),
  // Some clients and proxies send a name with an unescaped slash.
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/commits/*',
    id: 'repoGetStatusOfPath',
    summary: 'Serves names with slashes',
    scope: 'repository',
    hidden: true,
    needs: [canRead('code')],
    query: filterQuery,
    responses: { 200: CombinedStatus },
    handle: async ({ repository, access, params, query, request }, context) => {
      const { name, kind } = /^(?<name>.+)\/(?<kind>status|statuses)$/.exec(params['*'])?.groups ?? {};
      // Nothing else has such a URL.
      if (!name) return text('404 page not found\n', 404);
      if (kind === 'status') return await combinedResponse(context, { repository, access }, name, query, request.url);
      const { body, headers } = await listByRef(context, repository, name, query, request.url);
      return new HttpResponse(JSON.stringify(body), {
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
        raw: true,
      });
    },
  }),
];

interface ListQuery {
  sort?: string | undefined;
  state?: string | undefined;
  page?: number | undefined;
  limit?: number | undefined;
}

async function listByRef(context: Context, repository: Repository, name: string, query: ListQuery, url: string): Promise<HttpResponse> {
  return await listResponse(context, repository, await commitOf(context, repository, name), query, url);
}

async function listResponse(context: Context, repository: Repository, sha: string, query: ListQuery, url: string): Promise<HttpResponse> {
  const page = pageOf(context, query);
  const { statuses, total } = await listStatuses(context, repository, sha, query, page);
  return listed(await presentStatuses(context, repository, statuses), total, { url, ...page });
}

/** Checks are shown by page, but the combined state is that of all. */
async function combinedResponse(
  context: Context,
  { repository, access }: { repository: Repository; access: RepositoryAccess },
  name: string,
  query: ListQuery,
  url: string,
): Promise<HttpResponse> {
  const sha = await commitOf(context, repository, name);
  const page = pageOf(context, query);
  const { state, statuses, total } = await combinedStatus(context, repository, sha, page);
  const shown = await presentStatuses(context, repository, statuses);
  const commitUrl = `${repositoryApiUrl(context.settings, repository)}/commits/${sha}`;
  const body = {
    state,
    sha,
    total_count: shown.length,
    statuses: shown.length === 0 ? null : shown,
    repository: await presentRepository(context, repository, access),
    commit_url: commitUrl,
    url: `${commitUrl}/status`,
  };
  return new HttpResponse(body, { headers: pageHeaders(total, { link: { url, ...page } }) });
}

/** @throws HttpError 404 */
async function commitOf(context: Context, repository: Repository, name: string): Promise<string> {
  const folder = context.git.locate(repository);
  const found = await resolveRef(folder, context.git.pool, name, { minPrefix: MIN_PREFIX });
  const commit = found && (await readCommit(folder, context.git.pool, found.commit));
  if (!commit) throw notFound([missingObject(name)]);
  return commit.oid;
}
