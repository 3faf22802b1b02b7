import { notArchived, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import {
  createBranchProtection,
  deleteBranchProtection,
  editBranchProtection,
  getBranchProtection,
  orderBranchProtections,
} from './branch-protections.ts';
import { presentBranchProtection, presentBranchProtections } from './present.ts';
import { branchRules } from './rules.ts';
import { BranchProtection, CreateBranchProtectionOption, EditBranchProtectionOption, UpdateBranchProtectionPriories } from './schema.ts';

const PATH = '/repos/:owner/:repo/branch_protections';
const NAME = { name: { description: 'the name of the rule: a branch, or a pattern' } };

/** The rules that protect branches. */
export const branchProtectionRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: PATH,
    id: 'repoListBranchProtection',
    summary: 'Lists the rules that protect branches, the most important first',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 200: array(ref(BranchProtection)) },
    handle: async ({ repository }, context) => presentBranchProtections(context, repository, await branchRules(context.db, repository.id)),
  }),
  repositoryRoute({
    method: 'POST',
    path: PATH,
    id: 'repoCreateBranchProtection',
    summary: 'Creates a rule that protects branches',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    needsAfterBody: [notArchived],
    body: CreateBranchProtectionOption,
    responses: { 201: BranchProtection },
    also: [400],
    handle: async ({ repository, body }, context) =>
      presentBranchProtection(context, repository, await createBranchProtection(context, repository, body)),
  }),
  repositoryRoute({
    method: 'POST',
    path: `${PATH}/priority`,
    id: 'repoUpdateBranchProtectionPriories',
    summary: 'Sorts the rules that protect branches',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    needsAfterBody: [notArchived],
    body: UpdateBranchProtectionPriories,
    responses: { 204: null },
    handle: async ({ repository, body }, context) => {
      await orderBranchProtections(context, repository, body.ids ?? []);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: `${PATH}/*`,
    id: 'repoGetBranchProtection',
    summary: 'Gets a rule that protects branches',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    parameters: NAME,
    responses: { 200: BranchProtection },
    handle: async ({ repository, params }, context) =>
      presentBranchProtection(context, repository, await getBranchProtection(context, repository, params['*'])),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: `${PATH}/*`,
    id: 'repoEditBranchProtection',
    summary: 'Changes the given fields of a rule that protects branches',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    needsAfterBody: [notArchived],
    parameters: NAME,
    body: EditBranchProtectionOption,
    responses: { 200: BranchProtection },
    handle: async ({ repository, params, body }, context) =>
      presentBranchProtection(context, repository, await editBranchProtection(context, repository, params['*'], body)),
  }),
  repositoryRoute({
    method: 'DELETE',
    path: `${PATH}/*`,
    id: 'repoDeleteBranchProtection',
    summary: 'Removes a rule that protects branches',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin, notArchived],
    parameters: NAME,
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await deleteBranchProtection(context, repository, params['*']);
      return empty(204);
    },
  }),
];
