import { finished, type Readable } from 'node:stream';
import type { RequestParts } from '../http/route.ts';
import { OwnedBytes } from '../storage/owned-bytes.ts';
import { LfsError } from './errors.ts';
import { LFS_MEDIA_TYPE } from './media-type.ts';
import { isObject } from './pointer.ts';

/** Size limit of a request's JSON in bytes. */
const MAX_JSON = 1024 * 1024;

/**
 * Requires that the client accepts responses of the media type.
 * @throws LfsError 415
 */
export function requireAccept({ headers }: RequestParts): void {
  const accepted = (headers.accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  if (!accepted.includes(LFS_MEDIA_TYPE)) throw new LfsError(415);
}

/**
 * The JSON object of a request.
 * @param status of the error for what is none
 * @param orNothing whether an empty body stands for an object without fields
 * @throws LfsError; 413 for more than a mebibyte
 */
export async function readJson({ raw }: RequestParts, status = 400, orNothing = false): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_JSON) throw new LfsError(413, undefined, { connection: 'close' });
    chunks.push(chunk);
  }
  if (size === 0 && orNothing) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new LfsError(status);
  }
  if (!isObject(parsed)) throw new LfsError(status);
  return parsed;
}

/**
 * The body of a request. Code that stops reading it can still send a response.
 * @throws LfsError 415 for an encoded body
 */
export function bodyOf({ raw, headers }: RequestParts): Readable {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new LfsError(415);
  const body = new OwnedBytes();
  // It may fail before anybody reads it; a later reader still gets the error.
  body.on('error', () => {});
  finished(raw, { writable: false }, (error) => error && body.destroy(error));
  return raw.pipe(body);
}
