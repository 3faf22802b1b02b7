import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { presentCommits } from '../../code/commits/present.ts';
import { Commit } from '../../code/commits/schema.ts';
import { notFoundBecause } from '../../http/errors.ts';
import { pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery, query } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { findMergedBy, pullOf } from '../find.ts';
import { paged } from '../paging.ts';
import { presentPull } from '../present.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { PullRequest } from '../schema.ts';
import { listPullCommits } from './commits.ts';

/** The commits of pull requests, and the pull requests of commits. */
export const pullCommitRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:index/commits',
    id: 'repoGetPullRequestCommits',
    summary: 'Lists the commits of a pull request, the newest first',
    scope: 'repository',
    parameters: pullIndex,
    needs: pullsOn,
    query: {
      ...pageQuery,
      verification: query.boolean('whether the verification of signatures is included; true by default'),
      files: query.boolean('whether the changed files are listed; they are unless this says no'),
    },
    responses: { 200: array(ref(Commit)) },
    handle: async ({ query, request, ...input }, context) => {
      const page = pageOf(context, query);
      const { commits, total } = await listPullCommits(context, await pullOf(input, context), page);
      const { files, verification } = query;
      return paged(await presentCommits(context, input.repository, commits, { files, verification }), total, page, request.url);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/commits/:sha/pull',
    id: 'repoGetCommitPullRequest',
    summary: 'Gets the pull request that was merged as a commit',
    scope: 'repository',
    parameters: { sha: { description: 'the whole id of the commit' } },
    needs: [canRead('code')],
    responses: { 200: PullRequest },
    handle: async ({ repository, access, params }, context) => {
      const pull = access.canRead('pulls') ? await findMergedBy(context.db, repository, params.sha) : undefined;
      if (!pull) {
        const facts = `id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${repository.id}, head_branch: , base_branch: `;
        throw notFoundBecause(`pull request does not exist [${facts}]`);
      }
      return presentPull(context, pull);
    },
  }),
];
