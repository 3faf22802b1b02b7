import { canRead, canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { getBranch } from './branches.ts';
import { createBranch, deleteBranch, renameBranch, updateBranch } from './change.ts';
import { presentBranch } from './protected.ts';
import { Branch, CreateBranchRepoOption, RenameBranchRepoOption, UpdateBranchRepoOption } from './schema.ts';

const PATH = '/repos/:owner/:repo/branches';
const NAME = { branch: { description: 'the name of the branch' } };
const NEEDS = [canRead('code'), signedIn, canWrite('code'), notArchived];

/** Creating, moving, renaming and deleting branches. */
export const branchChangeRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: PATH,
    id: 'repoCreateBranch',
    summary: 'Creates a branch',
    scope: 'repository',
    needs: NEEDS,
    body: CreateBranchRepoOption,
    responses: { 201: Branch },
    also: [409],
    handle: async ({ repository, access, body }, context) => {
      await createBranch(context, repository, access, body);
      return await presentBranch(context, repository, access, await getBranch(context, repository, body.new_branch_name));
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: `${PATH}/*`,
    id: 'repoUpdateBranch',
    summary: 'Moves a branch to another commit',
    scope: 'repository',
    needs: NEEDS,
    parameters: NAME,
    body: UpdateBranchRepoOption,
    responses: { 204: null },
    also: [409],
    handle: async ({ repository, access, params, body }, context) => {
      await updateBranch(context, repository, access, params['*'], body);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'PATCH',
    path: `${PATH}/*`,
    id: 'repoRenameBranch',
    summary: 'Renames a branch',
    scope: 'repository',
    needs: NEEDS,
    parameters: NAME,
    body: RenameBranchRepoOption,
    responses: { 204: null },
    also: [409],
    handle: async ({ repository, access, params, body }, context) => {
      await renameBranch(context, repository, access, params['*'], body.name);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: `${PATH}/*`,
    id: 'repoDeleteBranch',
    summary: 'Removes a branch',
    scope: 'repository',
    needs: NEEDS,
    parameters: NAME,
    responses: { 204: null },
    also: [409],
    handle: async ({ repository, access, params }, context) => {
      await deleteBranch(context, repository, access, params['*']);
      return empty(204);
    },
  }),
];
