import { canRead, notEmpty } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { raw } from '../../http/responses.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { any, map } from '../../http/schema.ts';
import { findLenientCommit } from '../raw/raw.ts';
import { editorRules } from './editorconfig.ts';

/** Editor settings of files. */
export const editorConfigRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/editorconfig/:filepath',
    id: 'repoGetEditorConfig',
    summary: 'Returns what the .editorconfig of the repository sets for a file',
    scope: 'repository',
    needs: [notEmpty, canRead('code')],
    query: { ref: query.string('the branch, tag or commit; the default branch if left out') },
    parameters: { filepath: { description: 'the name of the file' } },
    responses: { 200: map(any(), { description: 'The properties, by name.' }) },
    handle: async ({ repository, params, query }, context) => {
      const commit = await findLenientCommit(context, repository, query.ref);
      return raw(JSON.stringify(await editorRules(context, repository, commit, params.filepath)), 'application/json; charset=utf-8');
    },
  }),
];
