import { canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { AnyRoute } from '../../http/route.ts';
import { mergeUpstream } from './merge-upstream.ts';
import { MergeUpstreamRequest, MergeUpstreamResponse } from './schema.ts';

/** Updating forks from their source. */
export const upstreamRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/merge-upstream',
    id: 'repoMergeUpstream',
    summary: 'Updates a branch of a fork from its source',
    scope: 'repository',
    needs: [signedIn, notArchived, canWrite('code')],
    body: MergeUpstreamRequest,
    responses: { 200: MergeUpstreamResponse },
    also: [400, 409],
    handle: async ({ repository, access, body }, context) => {
      const options = { branch: body.branch ?? '', ffOnly: body.ff_only ?? false };
      return { merge_type: await mergeUpstream(context, repository, access, options) };
    },
  }),
];
