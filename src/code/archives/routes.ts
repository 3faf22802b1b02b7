import type { Repository } from '../../access/find-repository.ts';
import { canRead, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { type Context, callerKey } from '../../context.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { badRequest, HttpError, notFound } from '../../http/errors.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, query, type RequestParts } from '../../http/route.ts';
import { boolean, define, file } from '../../http/schema.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { buildArchive } from './build.ts';
import { ArchiveRemovedError, type CachedArchive, cachedArchive } from './cache.ts';
import { type ArchiveRequest, readArchiveRequest } from './request.ts';

const ArchiveState = define('ArchiveState', { complete: boolean({ description: 'whether the archive can be downloaded' }) });

const pathQuery = { path: query.list('only these files and folders', { collectionFormat: 'multi' }) };

/** Downloads of the files or the history of a revision in one archive. */
export const archiveRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    semaphore: 'downloads',
    head: true,
    path: '/repos/:owner/:repo/archive/*',
    id: 'repoGetArchive',
    summary: 'Serves an archive of a revision',
    scope: 'repository',
    needs: [canRead('code')],
    query: pathQuery,
    parameters: { archive: { description: 'the branch, tag or commit with .zip, .tar.gz or .bundle after it' } },
    responses: { 200: file(), 206: file() },
    produces: ['application/octet-stream'],
    also: [304, 400, 416],
    handle: async ({ repository, params, query, request }, context) =>
      serveArchive(context, repository, params['*'], query.path ?? [], request),
  }),
  repositoryRoute({
    method: 'GET',
    semaphore: 'downloads',
    head: true,
    path: '/repos/:owner/:repo/:ball(^tarball|zipball|bundle$)/*',
    id: 'downloadArchiveBall',
    summary: 'Serves an archive of a revision, at the URL that other services use',
    scope: 'repository',
    hidden: true,
    needs: [canRead('code')],
    query: pathQuery,
    responses: { 200: null },
    handle: async ({ repository, params, query, request }, context) =>
      serveArchive(context, repository, `${params['*']}${endingOf(params.ball)}`, query.path ?? [], request),
  }),
  repositoryRoute({
    method: 'GET',
    semaphore: 'downloads',
    path: '//:owner/:repo/archive/*',
    download: true,
    id: 'downloadArchive',
    summary: 'Serves an archive of a revision, at the URL that responses have',
    scope: 'repository',
    needs: [unitOn('code')],
    query: pathQuery,
    responses: { 200: null },
    handle: async ({ repository, params, query, request }, context) =>
      serveArchive(context, repository, params['*'], query.path ?? [], request),
  }),
  repositoryRoute({
    method: 'POST',
    path: '//:owner/:repo/archive/*',
    download: true,
    id: 'prepareArchive',
    summary: 'Says that an archive can be downloaded: archives are sent while they are built',
    scope: 'repository',
    needs: [unitOn('code')],
    responses: { 200: ArchiveState },
    handle: async ({ repository }) => {
      if (repository.is_empty) throw notFound();
      return { complete: true };
    },
  }),
];

const TYPE = 'application/octet-stream';
/** How often an archive that is deleted before it is read is requested again; then it is built for this caller alone. */
const ATTEMPTS = 3;

const ENDINGS: Readonly<Record<string, string>> = { tarball: '.tar.gz', zipball: '.zip', bundle: '.bundle' };

function endingOf(ball: string): string {
  const ending = ENDINGS[ball];
  if (ending === undefined) throw badRequest(`Unknown archive type: ${ball}`);
  return ending;
}

async function serveArchive(
  context: Context,
  repository: Repository,
  fileName: string,
  paths: readonly string[],
  request: RequestParts,
): Promise<HttpResponse> {
  const wanted = await readArchiveRequest(context, repository, fileName, paths);
  const headers = archiveHeaders(context, repository, wanted);
  // Parts of a repository are requested rarely and vary a lot: they are not cached.
  for (let attempt = 0; wanted.paths.length === 0 && attempt < ATTEMPTS; attempt++) {
    const archive = await cachedArchive(context, repository, wanted);
    if (!archive) break;
    try {
      return await serveCached(repository, wanted, archive, request, headers);
    } catch (error) {
      if (!(error instanceof ArchiveRemovedError)) throw error;
    }
  }
  if (request.method === 'HEAD') return raw('', TYPE, { headers });
  try {
    return raw(await buildArchive(context, repository, wanted, callerKey(context)), TYPE, { headers });
  } catch (error) {
    // As in the reference, a path that does not exist is refused with the headers of the archive.
    if (error instanceof HttpError && error.status === 400) throw new HttpError(400, error.message, { headers });
    throw error;
  }
}

function serveCached(
  repository: Repository,
  wanted: ArchiveRequest,
  archive: CachedArchive,
  request: RequestParts,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  return serveBytes(request, {
    size: archive.size,
    type: TYPE,
    // Another build of the same bundle may have other bytes.
    etag: `${wanted.commit}-${wanted.format === 'bundle' ? archive.created : repository.lower_name}.${wanted.format}`,
    modified: archive.created,
    headers: { ...headers, 'accept-ranges': 'bytes' },
    open: (range) => archive.open(range),
  });
}

/** The link always names the same bytes: https://nix.dev/manual/nix/stable/protocols/tarball-fetcher */
function archiveHeaders(context: Context, repository: Repository, { oid, name, format }: ArchiveRequest): Record<string, string> {
  const link = `${repositoryApiUrl(context.settings, repository)}/archive/${oid}.${format}?rev=${oid}`;
  return {
    link: `<${link}>; rel="immutable"`,
    'content-disposition': contentDisposition('attachment', `${repository.name}-${name.replaceAll('/', '-')}.${format}`),
    'access-control-expose-headers': 'Content-Disposition',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
}
