import { canWrite, notArchived, signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { badRequest } from '../http/errors.ts';
import { empty } from '../http/responses.ts';
import type { AnyRoute } from '../http/route.ts';
import { pushMirrorRoutes } from './push/routes.ts';
import { enqueueMirror } from './schedule.ts';

/** @throws HttpError 400 if mirrors are disabled */
function requireMirrors({ settings }: Context): void {
  if (!settings.mirrors.enabled) throw badRequest('Mirror feature is disabled');
}

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
      const { db } = context;
      const mirror = await db.selectFrom('mirrors').select('id').where('repository_id', '=', repository.id).executeTakeFirst();
      if (!mirror) throw badRequest('Repository is not a mirror');
      await enqueueMirror(context, 'mirrors', mirror.id);
      return empty(200);
    },
  }),
  ...pushMirrorRoutes(requireMirrors),
];
