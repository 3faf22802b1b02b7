import { notArchived, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentTagProtection, presentTagProtections } from './present.ts';
import { tagRules } from './rules.ts';
import { CreateTagProtectionOption, EditTagProtectionOption, TagProtection } from './schema.ts';
import { createTagProtection, deleteTagProtection, editTagProtection, getTagProtection } from './tag-protections.ts';

const PATH = '/repos/:owner/:repo/tag_protections';
const ID = { id: { type: 'integer', description: 'the id of the rule' } } as const;

/** The rules that protect tags. */
export const tagProtectionRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: PATH,
    id: 'repoListTagProtection',
    summary: 'Lists the rules that protect tags',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 200: array(ref(TagProtection)) },
    handle: async ({ repository }, context) => presentTagProtections(context, repository, await tagRules(context.db, repository.id)),
  }),
  repositoryRoute({
    method: 'POST',
    path: PATH,
    id: 'repoCreateTagProtection',
    summary: 'Creates a rule that protects tags',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    needsAfterBody: [notArchived],
    body: CreateTagProtectionOption,
    responses: { 201: TagProtection },
    also: [400],
    handle: async ({ repository, body }, context) =>
      presentTagProtection(context, repository, await createTagProtection(context, repository, body)),
  }),
  repositoryRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'repoGetTagProtection',
    summary: 'Gets a rule that protects tags',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    parameters: ID,
    responses: { 200: TagProtection },
    handle: async ({ repository, params }, context) =>
      presentTagProtection(context, repository, await getTagProtection(context, repository, Number(params.id))),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'repoEditTagProtection',
    summary: 'Changes the given fields of a rule that protects tags',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    needsAfterBody: [notArchived],
    parameters: ID,
    body: EditTagProtectionOption,
    responses: { 200: TagProtection },
    also: [400],
    handle: async ({ repository, params, body }, context) =>
      presentTagProtection(context, repository, await editTagProtection(context, repository, Number(params.id), body)),
  }),
  repositoryRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'repoDeleteTagProtection',
    summary: 'Removes a rule that protects tags',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    parameters: ID,
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await deleteTagProtection(context, repository, Number(params.id));
      return empty(204);
    },
  }),
];
