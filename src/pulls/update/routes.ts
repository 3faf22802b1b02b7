import { signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { pullOf } from '../find.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { updatePull } from './update.ts';

/** Updating pull requests from their base. */
export const pullUpdateRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/pulls/:index/update',
    id: 'repoUpdatePullRequest',
    summary: 'Updates the head branch of a pull request from its base branch',
    scope: 'repository',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn],
    query: { style: query.string('by a merge, unless by a rebase', { enum: ['merge', 'rebase'] }) },
    responses: { 200: null, 403: null },
    also: [409],
    handle: async (input, context) => {
      await updatePull(context, await pullOf(input, context), input.query.style === 'rebase' ? 'rebase' : 'merge');
    },
  }),
];
