import { createHash } from 'node:crypto';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { type ServeOptions, serveFile } from '../protocol/serve.ts';
import { findImageBlob, findWholeBlob, removeBlob } from './blobs.ts';
import { API_VERSION, ContainerError } from './errors.ts';
import { type ContentDigest, checkImage, isDigest } from './names.ts';

/** GET and HEAD: distribution specification, "Pulling blobs". */
export async function getBlob(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params, request } = call;
  const image = checkImage(params.image ?? '');
  const digest = params.digest ?? '';
  // Missing bytes are noticed when they are opened.
  const find = request.method === 'HEAD' ? findWholeBlob(context, owner, image, digest) : findImageBlob(context.db, owner, image, digest);
  const blob = await find;
  if (!blob) throw new ContainerError('BLOB_UNKNOWN');
  try {
    // Without a type that a user has chosen: a browser would display it.
    return await serveFile(call, { blob }, serveOptions(digest));
  } catch (error) {
    throw error instanceof PackageError && error.problem === 'no-file' ? new ContainerError('BLOB_UNKNOWN') : error;
  }
}

/** DELETE: distribution specification, "Deleting Blobs". */
export async function deleteBlob({ context, owner, params }: PackageCall): Promise<HttpResponse> {
  const image = checkImage(params.image ?? '');
  const digest = params.digest ?? '';
  if (!isDigest(digest)) throw new ContainerError('BLOB_UNKNOWN');
  await removeBlob(context, owner, image, digest);
  return empty(202, API_VERSION);
}

/** Options of serving contents and manifests: with their digest for clients. */
export function serveOptions(digest: string, type = 'application/octet-stream'): ServeOptions {
  return { type, name: null, etag: digest, headers: { ...API_VERSION, 'docker-content-digest': digest } };
}

/** The digest of bytes. */
export function digestOf(bytes: Uint8Array, algorithm: ContentDigest['algorithm'] = 'sha256'): string {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
}
