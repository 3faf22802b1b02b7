import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentAnnotatedTag, presentTag, presentTags } from './present.ts';
import { AnnotatedTag, Tag } from './schema.ts';
import { getAnnotatedTag, getTag, listTags } from './tags.ts';

/** Listing and looking at tags. */
export const tagRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/tags',
    id: 'repoListTags',
    summary: 'Lists the tags, the newest first',
    scope: 'repository',
    needs: [canRead('code')],
    query: pageQuery,
    responses: { 200: array(ref(Tag)) },
    handle: async ({ repository, query }, context) => {
      const { tags, total } = await listTags(context, repository, pageOf(context, query));
      return listed(presentTags(context, repository, tags), total);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/tags/*',
    id: 'repoGetTag',
    summary: 'Gets a tag',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: { tag: { description: 'the name of the tag' } },
    responses: { 200: Tag },
    handle: async ({ repository, params }, context) => presentTag(context, repository, await getTag(context, repository, params['*'])),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/tags/:sha',
    id: 'GetAnnotatedTag',
    summary: 'Gets the object of an annotated tag',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: { sha: { description: 'the id of the tag object, not of the commit' } },
    responses: { 200: AnnotatedTag },
    also: [400],
    handle: async ({ repository, params }, context) =>
      presentAnnotatedTag(context, repository, await getAnnotatedTag(context, repository, params.sha)),
  }),
];
