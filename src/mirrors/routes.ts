import { canWrite, notArchived, signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import { empty } from '../http/responses.ts';
import type { AnyRoute } from '../http/route.ts';
import { enqueueSync, requireMirrors } from './pull-mirror.ts';
import { pushMirrorRoutes } from './push/routes.ts';

/** The routes of mirrors and push mirrors. */
export const mirrorRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/mirror-sync',
    id: 'repoMirrorSync',
    summary: 'Updates a mirror, in the background',
    scope: 'repository',
    needs: [signedIn, canWrite('code'), notArchived],
    responses: { 200: null },
    also: [400],
    handle: async ({ repository }, context) => {
      requireMirrors(context);
      await enqueueSync(context, repository);
      return empty(200);
    },
  }),
  ...pushMirrorRoutes(requireMirrors),
];
