import { Readable } from 'node:stream';
import { callerKey } from '../../context.ts';
import type { PackageBlobRow, PackageFileRow } from '../../database/tables/packages.ts';
import { type ByteRange, bytesOfRange } from '../../http/byte-range.ts';
import { savedAs } from '../../http/content-disposition.ts';
import { HttpError } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { releaseWith } from '../../http/server/permits.ts';
import { blobKey, openBlob } from '../blobs/content.ts';
import { readCached } from '../blobs/content-cache.ts';
import { countDownload } from '../registry/downloads.ts';
import type { PackageCall } from './format.ts';

/** What is served: a content, as a file if it is one. */
export interface Served {
  readonly blob: Pick<PackageBlobRow, 'blob' | 'size' | 'sha256'>;
  readonly file?: Pick<PackageFileRow, 'name' | 'version_id' | 'is_lead' | 'created_at'>;
}

/** Options that differ from the defaults. */
export interface ServeOptions {
  /** The media type; `application/octet-stream` when left out. */
  readonly type?: string;
  /** The file name for saving; that of the file when left out, none for null. */
  readonly name?: string | null;
  /** Changes with the content, without quotes; its SHA-256 when left out. */
  readonly etag?: string;
  readonly headers?: Record<string, string>;
  /** The container that the content is wrapped in while it is read. */
  readonly container?: Container;
  /** Whether its bytes are cached in memory, for small contents that many clients read. */
  readonly isCached?: boolean;
}

/** Another form of a content, which is not stored. */
export interface Container {
  /** The size of the result for a content of this size. */
  readonly size: (content: number) => number;
  readonly write: (content: AsyncIterable<Uint8Array>, size: number) => AsyncIterable<Uint8Array>;
}

/**
 * Serves a file of a package, or a content by itself, or the requested range, while it is read. Counts the download if it is the lead file of
 * its version.
 * @throws BusyError
 */
export async function serveFile(
  { context, request }: Pick<PackageCall, 'context' | 'request'>,
  { file, blob }: Served,
  options: ServeOptions = {},
): Promise<HttpResponse> {
  const { type = 'application/octet-stream', name = file?.name ?? null, etag = blob.sha256, headers = {}, container } = options;
  const release = await context.semaphores.downloads.acquire(callerKey(context), { signal: request.signal });
  try {
    const response = await serveBytes(request, {
      size: container ? container.size(blob.size) : blob.size,
      type,
      etag,
      modified: file?.created_at,
      headers: {
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        ...(name !== null && savedAs(name)),
        ...headers,
      },
      open: (range) => openServed(context, blob, options, range),
      ...(!container && { link: (response) => context.storage.link(blobKey(blob), response) }),
    });
    if (file?.is_lead && request.method === 'GET') await countDownload(context, file.version_id);
    releaseWith(response, request, release);
    return response;
  } catch (error) {
    release();
    if (error instanceof HttpError && error.status === 416) return outOfRange(error, name);
    throw error;
  }
}

/** Serves bytes that are at hand, or the requested range, as a file if it has a name. */
export async function serveSmall(
  { request }: Pick<PackageCall, 'request'>,
  content: Buffer,
  { type, name, modified }: { type: string; name?: string; modified?: number },
): Promise<HttpResponse> {
  const headers = {
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    ...(name !== undefined && savedAs(name)),
  };
  const open = (range: ByteRange | undefined) => (range ? content.subarray(range.start, range.end + 1) : content);
  try {
    return await serveBytes(request, { size: content.length, type, modified, headers, open });
  } catch (error) {
    if (error instanceof HttpError && error.status === 416) return outOfRange(error, name ?? null);
    throw error;
  }
}

async function openServed(
  context: PackageCall['context'],
  blob: Served['blob'],
  { container, isCached = false, etag }: ServeOptions,
  range: ByteRange | undefined,
): Promise<Buffer | Readable> {
  if (container) return await openContained(context, blob, container, range);
  const cached = isCached ? await readCached(context, blob, etag) : undefined;
  if (!cached) return await openBlob(context, blob, range);
  return range ? cached.subarray(range.start, range.end + 1) : cached;
}

async function openContained(
  context: PackageCall['context'],
  blob: Served['blob'],
  { write }: Container,
  range: ByteRange | undefined,
): Promise<Readable> {
  const written = write(await openBlob(context, blob), blob.size);
  return Readable.from(range ? bytesOfRange(written, range) : written, { objectMode: false });
}

/** Whatever the format: text, under the name that the file has. */
function outOfRange({ status, message, headers }: HttpError, name: string | null): HttpResponse {
  const named = name !== null && savedAs(name);
  const type = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return new HttpResponse(`${message}\n`, { status, headers: { ...headers, ...named, ...type }, raw: true });
}
