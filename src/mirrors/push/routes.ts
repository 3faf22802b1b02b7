import { notArchived, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { CreatePushMirrorOption, PushMirror } from '../schema.ts';
import { createPushMirror } from './create.ts';
import { presentPushMirrors } from './present.ts';
import { deletePushMirror, enqueuePushes, getPushMirror, listPushMirrors } from './push-mirrors.ts';

const PATH = '/repos/:owner/:repo/push_mirrors';
const parameters = { name: { type: 'string', description: 'remote_name of the mirror' } } as const;

/**
 * The routes of push mirrors.
 * @param requireEnabled throws if mirrors are disabled
 */
export function pushMirrorRoutes(requireEnabled: (context: Context) => void): readonly AnyRoute[] {
  return [
    repositoryRoute({
      method: 'POST',
      path: `${PATH}-sync`,
      id: 'repoPushMirrorSync',
      summary: 'Pushes to all push mirrors of a repository, in the background',
      scope: 'repository',
      needs: [signedIn, repositoryAdmin, notArchived],
      responses: { 200: null },
      also: [400],
      handle: async ({ repository }, context) => {
        requireEnabled(context);
        await enqueuePushes(context, repository.id, 'all');
        return empty(200);
      },
    }),
    repositoryRoute({
      method: 'GET',
      path: PATH,
      id: 'repoListPushMirrors',
      summary: 'Lists the push mirrors of a repository',
      scope: 'repository',
      needs: [signedIn, repositoryAdmin],
      query: pageQuery,
      responses: { 200: array(PushMirror) },
      also: [400],
      handle: async ({ repository, query }, context) => {
        requireEnabled(context);
        const { mirrors, total } = await listPushMirrors(context, repository, pageOf(context, query));
        return listed(presentPushMirrors(repository, mirrors), total);
      },
    }),
    repositoryRoute({
      method: 'POST',
      path: PATH,
      id: 'repoAddPushMirror',
      summary: 'Adds a push mirror',
      scope: 'repository',
      needs: [signedIn, repositoryAdmin, notArchived],
      body: CreatePushMirrorOption,
      responses: { 200: PushMirror },
      also: [400],
      handle: async ({ repository, body }, context) => {
        requireEnabled(context);
        return presentPushMirrors(repository, [await createPushMirror(context, repository, body)])[0];
      },
    }),
    repositoryRoute({
      method: 'GET',
      path: `${PATH}/:name`,
      id: 'repoGetPushMirrorByRemoteName',
      summary: 'Gets a push mirror',
      scope: 'repository',
      needs: [signedIn, repositoryAdmin],
      parameters,
      responses: { 200: PushMirror },
      also: [400],
      handle: async ({ repository, params }, context) => {
        requireEnabled(context);
        return presentPushMirrors(repository, [await getPushMirror(context, repository, params.name)])[0];
      },
    }),
    repositoryRoute({
      method: 'DELETE',
      path: `${PATH}/:name`,
      id: 'repoDeletePushMirror',
      summary: 'Removes a push mirror',
      scope: 'repository',
      needs: [signedIn, repositoryAdmin, notArchived],
      parameters,
      responses: { 204: null },
      also: [400],
      handle: async ({ repository, params }, context) => {
        requireEnabled(context);
        await deletePushMirror(context, repository, params.name);
        return empty(204);
      },
    }),
  ];
}
