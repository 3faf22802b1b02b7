import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, int64, map, string } from '../../http/schema.ts';
import { listLanguages } from './statistics.ts';

/** Languages and licenses of repositories. */
export const statisticsRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/languages',
    id: 'repoGetLanguages',
    summary: 'Returns the languages of the default branch in bytes',
    scope: 'repository',
    needs: [canRead('code')],
    responses: { 200: map(int64()) },
    handle: async ({ repository }, context) => listLanguages(context, repository),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/licenses',
    id: 'repoGetLicenses',
    summary: 'Returns the licenses of the default branch',
    scope: 'repository',
    needs: [canRead('code')],
    responses: { 200: array(string()) },
    handle: async ({ repository }) => repository.licenses,
  }),
];
