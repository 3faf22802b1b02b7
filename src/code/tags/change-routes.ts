import { canRead, canWrite, notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { createTag, deleteTag } from './change.ts';
import { presentTag } from './present.ts';
import { CreateTagOption, Tag } from './schema.ts';
import { getTag } from './tags.ts';

const NEEDS = [canRead('code'), signedIn, canWrite('code'), notArchived];

/** Creating and deleting tags. */
export const tagChangeRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/tags',
    id: 'repoCreateTag',
    summary: 'Creates a tag; with a message, an annotated one',
    scope: 'repository',
    needs: NEEDS,
    body: CreateTagOption,
    responses: { 201: Tag },
    also: [409],
    handle: async ({ repository, access, body }, context) => {
      await createTag(context, repository, access, { name: body.tag_name, target: body.target, message: body.message });
      return presentTag(context, repository, await getTag(context, repository, body.tag_name));
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/tags/*',
    id: 'repoDeleteTag',
    summary: 'Removes a tag',
    scope: 'repository',
    needs: NEEDS,
    parameters: { tag: { description: 'the name of the tag' } },
    responses: { 204: null },
    also: [409],
    handle: async ({ repository, access, params }, context) => {
      await deleteTag(context, repository, access, params['*']);
      return empty(204);
    },
  }),
];
