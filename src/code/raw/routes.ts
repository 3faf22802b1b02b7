import { canRead, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { file } from '../../http/schema.ts';
import { serveMedia } from './media.ts';
import { findRawFile, findRawFileIn, serveRawFile } from './raw.ts';

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
  needs: [canRead('code')],
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
];

function kindOf(word: string): 'branch' | 'tag' | 'commit' {
  return word === 'tag' || word === 'commit' ? word : 'branch';
}
