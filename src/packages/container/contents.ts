import { createHash } from 'node:crypto';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import type { PackageCall } from '../protocol/format.ts';
import { type ServeOptions, serveFile } from '../protocol/serve.ts';
import { findWholeBlob, removeBlob } from './blobs.ts';
import { API_VERSION, ContainerError } from './errors.ts';
import { checkImage, isDigest, sha256Of } from './names.ts';

/** GET and HEAD: distribution specification, "Pulling blobs". */
export async function getBlob(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params } = call;
  const image = checkImage(params.image ?? '');
  const sha256 = sha256Of(params.digest ?? '');
  const blob = sha256 === undefined ? undefined : await findWholeBlob(context, owner, image, sha256);
  if (!blob) throw new ContainerError('BLOB_UNKNOWN');
  // Of no type that a user has chosen: a browser would show it.
  return await serveFile(call, { blob }, serveOptions(blob));
}

/** DELETE: distribution specification, "Deleting Blobs". */
export async function deleteBlob({ context, owner, params }: PackageCall): Promise<HttpResponse> {
  const image = checkImage(params.image ?? '');
  const digest = params.digest ?? '';
  if (!isDigest(digest)) throw new ContainerError('BLOB_UNKNOWN');
  const sha256 = sha256Of(digest);
  if (sha256 !== undefined) await removeBlob(context, owner, image, sha256);
  return empty(202, API_VERSION);
}

/** How contents and manifests are served: with the digest by which clients know them. */
export function serveOptions({ sha256 }: PackageBlobRow, type = 'application/octet-stream'): ServeOptions {
  const digest = `sha256:${sha256}`;
  return { type, name: null, etag: digest, headers: { ...API_VERSION, 'docker-content-digest': digest } };
}

/** The digest of bytes. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
