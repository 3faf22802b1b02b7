import { HttpError } from '../../http/errors.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import type { Settings } from '../../settings.ts';
import { GitRefusal } from '../../transport/refusal.ts';
import { LfsError } from '../errors.ts';
import { requireAccept } from '../request.ts';
import { findLfsTarget } from '../target.ts';
import { pathPointer, readBatch, readPointer, respondToBatch, respondToDownload, respondToUpload, respondToVerify } from './handlers.ts';

/** Signing in is a matter of the protocol here, as with git itself. */
const common = { hidden: true, open: true, when: ({ lfs }: Settings) => lfs.enabled, responses: { 200: null } } as const;

/** Transfers of large files: https://github.com/git-lfs/git-lfs/blob/main/docs/api */
export const transferRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: '//:owner/:repo/info/lfs/objects/batch',
    id: 'lfsBatch',
    summary: 'Gets the URLs to download large files from, or to upload them to',
    body: 'stream',
    handle: (given, context) =>
      responding(async () => {
        requireAccept(given.request);
        const batch = await readBatch(given.request);
        const target = await findLfsTarget(context, given, batch.operation === 'upload' ? 'write' : 'read');
        return await respondToBatch(target, given.request, batch);
      }),
  }),
  route({
    ...common,
    method: 'PUT',
    path: '//:owner/:repo/info/lfs/objects/:oid/:size',
    id: 'lfsUpload',
    summary: 'Uploads a large file',
    body: 'stream',
    handle: (given, context) =>
      responding(async () => {
        const { oid, size } = pathPointer(given.params.oid, given.params.size);
        return await respondToUpload(await findLfsTarget(context, given, 'write'), given.request, oid, size);
      }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '//:owner/:repo/info/lfs/objects/:oid',
    id: 'lfsDownload',
    summary: 'Downloads a large file',
    handle: (given, context) =>
      responding(async () => {
        const { oid } = pathPointer(given.params.oid);
        return await respondToDownload(await findLfsTarget(context, given, 'read'), given.request, oid);
      }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '//:owner/:repo/info/lfs/objects/:oid/:filename',
    id: 'lfsDownloadNamed',
    summary: 'Serves the bytes of a large file under a name',
    handle: (given, context) =>
      responding(async () => {
        const { oid } = pathPointer(given.params.oid);
        return await respondToDownload(await findLfsTarget(context, given, 'read'), given.request, oid, given.params.filename);
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '//:owner/:repo/info/lfs/verify',
    id: 'lfsVerify',
    summary: 'Verifies that a large file is uploaded',
    body: 'stream',
    handle: (given, context) =>
      responding(async () => {
        requireAccept(given.request);
        const pointer = await readPointer(given.request);
        return await respondToVerify(await findLfsTarget(context, given, 'write'), pointer);
      }),
  }),
];

/** Sends errors of the steps in the format of the protocol. */
export async function responding(respond: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await respond();
  } catch (error) {
    if (error instanceof LfsError || error instanceof GitRefusal) return error.toResponse();
    if (error instanceof HttpError) return new LfsError(error.status, error.message, { ...error.headers }).toResponse();
    throw error;
  }
}
