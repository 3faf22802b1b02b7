import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { isObjectId, OBJECT_FORMATS, objectIdLength } from '../../git/repository.ts';
import { parseLfsPointer } from '../../git/trees/lfs-pointer.ts';
import { badRequest } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { missingObject, wholeId } from '../revision.ts';
import type { GitBlobResponse } from './schema.ts';

/** The error for an id of no object of the requested kind, or an invalid id. */
export function unknownObject(text: string): string {
  const fits = OBJECT_FORMATS.some((format) => text.length === objectIdLength(format));
  if (!fits) return `length ${Buffer.byteLength(text)} has no matched object format: ${text}`;
  const [odd] = /[^0-9A-Fa-f]/u.exec(text) ?? [];
  if (odd === undefined) return missingObject(text);
  const code = (odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `encoding/hex: invalid byte: U+${code} '${odd}'`;
}

/**
 * A blob on the wire, with its content if that is not too large. Clients may request objects of other types by the same route.
 * @throws HttpError 400 if there is no object of this id
 */
export async function presentBlob(context: Context, repository: Repository, given: string): Promise<Shape<typeof GitBlobResponse>> {
  const oid = wholeId(given);
  const located = context.git.locate(repository);
  const { maxBlobSize } = context.settings.api;
  const info = isObjectId(oid, located.objectFormat) ? await context.git.pool.info(located, oid) : undefined;
  if (!info) throw badRequest(unknownObject(oid));
  const blob = info.size > maxBlobSize ? undefined : await context.git.pool.read(located, oid, { maxSize: maxBlobSize });
  const lfs = blob && parseLfsPointer(blob.data);
  return {
    content: blob ? blob.data.toString('base64') : null,
    encoding: blob ? 'base64' : null,
    url: `${repositoryApiUrl(context.settings, repository)}/git/blobs/${oid}`,
    sha: oid,
    size: info.size,
    ...(lfs && { lfs_oid: lfs.oid, lfs_size: lfs.size }),
  };
}
