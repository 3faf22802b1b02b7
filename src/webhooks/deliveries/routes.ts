import { repositoryAdmin, signedIn, webhooksOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { pathId } from '../../http/path-id.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { getHook } from '../hooks/hooks.ts';
import { enqueueTestPush } from '../payloads/test-push.ts';

/** Deliveries on request. */
export const deliveryRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/hooks/:id/tests',
    id: 'repoTestHook',
    summary: 'Tests a webhook with a push of the last commit',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin, webhooksOn],
    parameters: { id: { type: 'integer', format: 'int64', description: 'id of the webhook' } },
    query: { ref: query.string('a branch, a tag or a commit; the default branch unless it is given') },
    responses: { 204: null },
    handle: async ({ repository, params, query }, context) => {
      const hook = await getHook(context, { repositoryId: repository.id }, pathId(params.id));
      await enqueueTestPush(context, repository, hook, signedInActor(context), query.ref);
      return empty(204);
    },
  }),
];
