import { Readable } from 'node:stream';
import type { LinkedResponse } from '../storage/storage.ts';
import { type ByteRange, readRange } from './byte-range.ts';
import { HttpError } from './errors.ts';
import { empty, type HttpResponse, raw } from './responses.ts';
import type { RequestParts } from './route.ts';

/** Types that browsers display without running any of it. */
const SHOWN = /^(?:image\/(?!svg\b)[\w.-]+|audio\/[\w.-]+|video\/[\w.-]+|application\/pdf|text\/plain)(?:\s*;|$)/i;

/** Bytes to serve as they are. */
export interface ServedBytes {
  readonly size: number;
  readonly type: string;
  /** Changes with the bytes; without quotes. */
  readonly etag?: string;
  /** Seconds since 1970. */
  readonly modified?: number | undefined;
  readonly headers?: Record<string, string>;
  /** The text of the response to a range beyond the end, where clients expect no error of the API. */
  readonly beyond?: string;
  /** The bytes, or those of the range. */
  open(range: ByteRange | undefined): Buffer | Readable | Promise<Buffer | Readable>;
  /** A URL where the client can read the bytes instead, if there is one. */
  readonly link?: (response: LinkedResponse) => Promise<string | undefined>;
}

/**
 * Serves bytes with HTTP's validators, ranges, and lengths without bodies (RFC 9110, 13 and 14).
 * @throws HttpError 416
 */
export async function serveBytes(request: RequestParts, bytes: ServedBytes): Promise<HttpResponse> {
  const { size, type, etag, modified } = bytes;
  const validators: Record<string, string> = {
    ...(etag !== undefined && { etag: `"${etag}"` }),
    ...(modified !== undefined && { 'last-modified': httpDate(modified) }),
  };
  const vary = bytes.headers?.vary;
  if (isUnchanged(request, bytes)) return empty(304, { ...validators, ...(vary !== undefined && { vary }) });
  if (isOtherThanExpected(request, bytes)) return empty(412, validators);
  const headers = { ...validators, ...bytes.headers };
  const url = request.method === 'GET' ? await bytes.link?.(linkedResponse(bytes)) : undefined;
  // The client repeats its range there. The link is valid for some minutes only.
  if (url !== undefined) return empty(307, { location: url, 'cache-control': 'no-store' });
  const range = rangeFor(request, bytes);
  if (range === 'invalid') throw new HttpError(416, 'invalid range');
  if (range === 'unsatisfiable') {
    const all = { 'content-range': `bytes */${size}` };
    if (bytes.beyond === undefined) throw new HttpError(416, 'invalid range: failed to overlap', { headers: all });
    return raw(`${bytes.beyond}\n`, 'text/plain; charset=utf-8', { status: 416, headers: { ...bytes.headers, ...all } });
  }
  const length = range ? range.end - range.start + 1 : size;
  const isHead = request.method === 'HEAD';
  return raw(isHead ? Readable.from([]) : await bytes.open(range), type, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
    },
  });
}

/** The headers of bytes that the storage serves itself, where no policy forbids scripts: types that a browser could run are never displayed. */
function linkedResponse({ type, headers = {} }: ServedBytes): LinkedResponse {
  const given = headers['content-disposition'];
  const contentDisposition = SHOWN.test(type) ? given : (given?.replace(/^inline\b/, 'attachment') ?? 'attachment');
  const contentEncoding = headers['content-encoding'];
  return {
    contentType: type,
    ...(contentDisposition !== undefined && { contentDisposition }),
    ...(contentEncoding !== undefined && { contentEncoding }),
  };
}

/** A time in HTTP's format. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

function isUnchanged({ headers }: RequestParts, { etag, modified }: ServedBytes): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    const tags = known.split(',').map((one) => one.trim().replace(/^W\//, ''));
    return tags.includes('*') || (etag !== undefined && tags.includes(`"${etag}"`));
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return modified !== undefined && !Number.isNaN(since) && modified * 1000 <= since;
}

/** Whether the client has another version than the current one: `If-Match`, or else `If-Unmodified-Since`. */
function isOtherThanExpected({ headers }: RequestParts, { etag, modified }: ServedBytes): boolean {
  const known = headers['if-match'];
  if (known !== undefined) return !known.split(',').some((one) => one.trim() === '*' || one.trim() === `"${etag}"`);
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return modified !== undefined && !Number.isNaN(since) && modified * 1000 > since;
}

/** A range with `If-Range` counts only while the bytes are unchanged. */
function rangeFor({ headers }: RequestParts, { size, etag, modified }: ServedBytes): ReturnType<typeof readRange> {
  const condition = headers['if-range']?.toString();
  if (condition !== undefined && condition !== `"${etag}"` && !(modified !== undefined && condition === httpDate(modified)))
    return undefined;
  return readRange(headers.range, size);
}
