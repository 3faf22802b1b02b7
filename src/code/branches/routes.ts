import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { listed, pageHeaders, pageOf } from '../../http/paging.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, nullable, ref } from '../../http/schema.ts';
import { getBranch, listBranches, withCommits } from './branches.ts';
import { presentBranches } from './present.ts';
import { presentBranch, protectionSummaries } from './protected.ts';
import { Branch } from './schema.ts';

/** Listing and looking at branches. */
export const branchRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/branches',
    id: 'repoListBranches',
    summary: 'Lists the branches, the latest change first',
    scope: 'repository',
    needs: [canRead('code')],
    query: pageQuery,
    responses: { 200: nullable(array(ref(Branch))) },
    handle: async ({ repository, access, query, request }, context) => {
      // Clients expect null where nothing has been pushed yet.
      if (repository.is_empty) return new HttpResponse(null, { headers: pageHeaders(0) });
      const page = pageOf(context, query);
      const branches = await listBranches(context, repository);
      const shown = await withCommits(context, repository, branches.slice(page.offset, page.offset + page.limit));
      const summaryOf = await protectionSummaries(context, repository, access, shown);
      const presented = await presentBranches(context, repository, access, shown, summaryOf);
      return listed(presented, branches.length, { url: request.url, ...page });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/branches/*',
    id: 'repoGetBranch',
    summary: 'Gets a branch, with its protection',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: { branch: { description: 'the name of the branch' } },
    responses: { 200: Branch },
    handle: async ({ repository, access, params }, context) => {
      const branch = await getBranch(context, repository, params['*']);
      return await presentBranch(context, repository, access, branch);
    },
  }),
];
