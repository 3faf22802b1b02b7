import { canRead, notEmpty, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { file } from '../../http/schema.ts';
import { serveBlobMedia, serveMedia } from './media.ts';
import { findRawBlob, findRawFile, findRawFileIn, serveRawFile } from './raw.ts';
import { redirectUntyped } from './untyped.ts';

const refQuery = { ref: query.string('the branch, tag or commit; the default branch if left out') };
const parameters = { filepath: { description: 'the path of the file; it may begin with a branch, tag or commit' } };

const bytes = {
  method: 'GET',
  semaphore: 'downloads',
  scope: 'repository',
  responses: { 200: file(), 206: file() },
  also: [304, 416],
} as const;
const byPath = {
  ...bytes,
  needs: [notEmpty, canRead('code')],
  produces: ['application/octet-stream', '*/*'],
  query: refQuery,
  parameters,
} as const;
const byPage = { ...bytes, also: [303, 304, 416], needs: [unitOn('code')] } as const;

/** The bytes of files. */
export const rawRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...byPath,
    path: '/repos/:owner/:repo/raw/*',
    id: 'repoGetRawFile',
    summary: 'Serves the bytes of a file',
    handle: async ({ repository, params, query, request }, context) =>
      serveRawFile(context, repository, await findRawFile(context, repository, params['*'], query.ref), request),
  }),
  repositoryRoute({
    ...byPath,
    path: '/repos/:owner/:repo/media/*',
    id: 'repoGetRawFileOrLFS',
    summary: 'Serves the bytes of a file, or of the large file that it stands for',
    handle: async ({ repository, params, query, request }, context) =>
      serveMedia(context, repository, await findRawFile(context, repository, params['*'], query.ref), request),
  }),
  repositoryRoute({
    ...byPage,
    path: '//:owner/:repo/raw/:kind(^branch|tag|commit$)/*',
    download: true,
    id: 'downloadRawFile',
    summary: 'Serves the bytes of a file, at the URL that responses have',
    handle: async ({ repository, params, request }, context) =>
      serveRawFile(
        context,
        repository,
        await findRawFileIn(context, repository, { kind: kindOf(params.kind), path: params['*'], url: request.url }),
        request,
      ),
  }),
  repositoryRoute({
    ...byPage,
    path: '//:owner/:repo/media/:kind(^branch|tag|commit$)/*',
    download: true,
    id: 'downloadMedia',
    summary: 'Serves the bytes of a file or of the large file that it stands for, at the URL of the page',
    handle: async ({ repository, params, request }, context) =>
      serveMedia(
        context,
        repository,
        await findRawFileIn(context, repository, { kind: kindOf(params.kind), path: params['*'], url: request.url }),
        request,
        { named: true },
      ),
  }),
  repositoryRoute({
    ...byPage,
    also: [304, 416],
    path: '//:owner/:repo/raw/blob/:sha',
    download: true,
    id: 'downloadRawBlob',
    summary: 'Serves the bytes of a blob by its id',
    handle: async ({ repository, params, request }, context) =>
      serveRawFile(context, repository, await findRawBlob(context, repository, params.sha), request),
  }),
  repositoryRoute({
    ...byPage,
    also: [304, 416],
    path: '//:owner/:repo/media/blob/:sha',
    download: true,
    id: 'downloadMediaBlob',
    summary: 'Serves the bytes of a blob by its id, or of the large file that it stands for',
    handle: async ({ repository, params, request }, context) =>
      serveBlobMedia(context, repository, await findRawBlob(context, repository, params.sha), request),
  }),
  repositoryRoute({
    method: 'GET',
    path: '//:owner/:repo/:page(^raw|media$)/*',
    download: true,
    id: 'leadToTypedFile',
    summary: 'Redirects from an old URL of a file to the one that says whether it names a branch, a tag or a commit',
    hidden: true,
    scope: 'repository',
    needs: [unitOn('code')],
    responses: { 303: null },
    handle: async ({ repository, params }, context) => redirectUntyped(context, repository, params.page, params['*']),
  }),
];

function kindOf(word: string): 'branch' | 'tag' | 'commit' {
  return word === 'tag' || word === 'commit' ? word : 'branch';
}
