import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { pageHeaders } from '../../http/paging.ts';
import { raw } from '../../http/responses.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentCommit } from '../commits/present.ts';
import { getNote } from './notes.ts';
import { presentBlob } from './objects.ts';
import { listReferences } from './refs.ts';
import { GitBlobResponse, GitTreeResponse, Note, Reference } from './schema.ts';
import { treeResponse } from './trees.ts';

/** git's objects and refs. */
export const gitDataRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/refs',
    id: 'repoListAllGitRefs',
    summary: 'Lists all refs',
    scope: 'repository',
    needs: [canRead('code')],
    responses: { 200: array(ref(Reference)) },
    handle: async ({ repository }, context) => listReferences(context, repository, ''),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/refs/*',
    id: 'repoListGitRefs',
    summary: 'Lists the refs whose names begin with a prefix',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: { ref: { description: 'the beginning of the names, as in heads or tags/v1' } },
    responses: { 200: array(ref(Reference)) },
    handle: async ({ repository, params }, context) => listReferences(context, repository, params['*']),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/trees/:sha',
    id: 'GetTree',
    summary: 'Lists the entries of a tree',
    scope: 'repository',
    needs: [canRead('code')],
    query: {
      recursive: query.boolean('whether what is in folders is listed as well'),
      page: query.integer('the page, from 1 on'),
      per_page: query.integer('entries on a page'),
    },
    parameters: { sha: { description: 'the id of the tree, or a commit, branch or tag' } },
    responses: { 200: GitTreeResponse },
    also: [400],
    handle: async ({ repository, params, query }, context) => {
      const { json, total } = await treeResponse(context, repository, params.sha, query);
      return raw(json, 'application/json; charset=utf-8', { headers: pageHeaders(total) });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/blobs/:sha',
    id: 'GetBlob',
    summary: 'Gets a blob',
    scope: 'repository',
    needs: [canRead('code')],
    parameters: { sha: { description: 'the id of the blob' } },
    responses: { 200: GitBlobResponse },
    also: [400],
    handle: async ({ repository, params }, context) => presentBlob(context, repository, params.sha),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/git/notes/:sha',
    id: 'repoGetNote',
    summary: 'Gets the note on a commit',
    scope: 'repository',
    needs: [canRead('code')],
    query: {
      verification: query.boolean('whether the verification of the signature of the note’s commit is included; true by default'),
      files: query.boolean('whether the files that it changed are listed; they are unless this says no'),
    },
    parameters: { sha: { description: 'the commit that the note is on' } },
    responses: { 200: Note },
    handle: async ({ repository, params, query }, context) => {
      const note = await getNote(context, repository, params.sha);
      return { message: note.message, commit: await presentCommit(context, repository, note.commit, query) };
    },
  }),
];
