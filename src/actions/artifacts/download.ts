import type { Context } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { notFoundBecause } from '../../http/errors.ts';
import { policyFor } from '../../http/media-type.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { serveBytes } from '../../http/serve-bytes.ts';

/**
 * Serves the bytes of an artifact, or a range of them, so that browsers do not run content of jobs.
 * @throws HttpError 404 when they are deleted, 416
 */
export async function serveArtifact({ storage }: Context, request: RequestParts, artifact: ActionArtifact): Promise<HttpResponse> {
  const { storage_key: key, size, encoding, path } = artifact;
  return await serveBytes(request, {
    size,
    type: encoding,
    etag: key.slice(key.lastIndexOf('/') + 1),
    modified: artifact.updated_at,
    headers: {
      'content-disposition': contentDisposition('inline', path),
      'x-content-type-options': 'nosniff',
      ...policyFor(encoding),
    },
    open: async (range) => {
      const found = await storage.get(key, range);
      if (!found) throw notFoundBecause('artifact not found');
      return found.stream;
    },
    link: (response) => storage.link(key, response),
  });
}

/** Serves a file of an artifact of the older protocol, compressed as it was uploaded. */
export async function serveFile({ storage }: Context, request: RequestParts, file: ActionArtifact): Promise<HttpResponse> {
  const { storage_key: key, compressed_size: size, encoding, path, updated_at: modified } = file;
  return await serveBytes(request, {
    size,
    type: 'application/octet-stream',
    etag: key.slice(key.lastIndexOf('/') + 1),
    modified,
    headers: {
      'content-disposition': contentDisposition('inline', path),
      'x-content-type-options': 'nosniff',
      ...(encoding !== '' && { 'content-encoding': encoding }),
    },
    open: async (range) => {
      const found = await storage.get(key, range);
      if (!found) throw notFoundBecause('artifact not found');
      return found.stream;
    },
  });
}
