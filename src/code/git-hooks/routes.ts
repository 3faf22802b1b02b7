import { gitHookEditor, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import {
  CUSTOM_HOOKS,
  type CustomHook,
  isCustomHook,
  readCustomHook,
  removeCustomHook,
  writeCustomHook,
} from '../../git/protocol/custom-hooks.ts';
import type { GitRepository } from '../../git/repository.ts';
import { notFound } from '../../http/errors.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, type Shape } from '../../http/schema.ts';
import { EditGitHookOption, GitHook } from './schema.ts';

// These scripts can do what the server can do, so the administrator has to allow a user to write them.
const ofHooks = { scope: 'repository', needs: [signedIn, repositoryAdmin, gitHookEditor] } as const;
const PATH = '/repos/:owner/:repo/hooks/git';
const parameters = { id: { description: 'pre-receive, update or post-receive' } } as const;

/** The scripts of a repository that run on the server with each push. */
export const gitHookRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...ofHooks,
    method: 'GET',
    path: PATH,
    id: 'repoListGitHooks',
    summary: 'Lists the scripts that run with each push',
    responses: { 200: array(GitHook) },
    handle: ({ repository }, { git }) => Promise.all(CUSTOM_HOOKS.map((name) => read(git.locate(repository), name))),
  }),
  repositoryRoute({
    ...ofHooks,
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'repoGetGitHook',
    summary: 'Gets a script that runs with each push',
    parameters,
    responses: { 200: GitHook },
    handle: ({ repository, params }, { git }) => read(git.locate(repository), hookName(params.id)),
  }),
  repositoryRoute({
    ...ofHooks,
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'repoEditGitHook',
    summary: 'Replaces the script',
    parameters,
    body: EditGitHookOption,
    responses: { 200: GitHook },
    handle: async ({ repository, params, body: { content = '' } }, { git }) => {
      const name = hookName(params.id);
      await writeCustomHook(git.locate(repository), name, content);
      return { ...present(name, content), ...(content !== '' && { content }) };
    },
  }),
  repositoryRoute({
    ...ofHooks,
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'repoDeleteGitHook',
    summary: 'Removes a script that runs with each push',
    parameters,
    responses: { 204: null },
    handle: async ({ repository, params }, { git }) => {
      await removeCustomHook(git.locate(repository), hookName(params.id));
      return empty(204);
    },
  }),
];

/** @throws HttpError 404 */
function hookName(name: string): CustomHook {
  if (!isCustomHook(name)) throw notFound();
  return name;
}

async function read(repository: GitRepository, name: CustomHook): Promise<Shape<typeof GitHook>> {
  return present(name, (await readCustomHook(repository, name)) ?? '');
}

function present(name: CustomHook, content: string): Shape<typeof GitHook> {
  const isActive = content.trim() !== '';
  return { name, is_active: isActive, ...(isActive && { content }) };
}
