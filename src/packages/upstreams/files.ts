import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { savedAs } from '../../http/content-disposition.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { openBlob } from '../blobs/content.ts';
import { type ExpectedContent, storeBlob } from '../blobs/store.ts';
import type { PackageCall } from '../protocol/format.ts';
import { type ServeOptions, serveFile } from '../protocol/serve.ts';
import { maxFileSize } from '../registry/limits.ts';
import { findCached, isThere, keepFetched, noteUse, type WholeCached } from './cache.ts';
import { headerOf } from './documents.ts';
import { asRefusal, countRequest, fetching } from './fetching.ts';
import { LiveCopy } from './live-copy.ts';
import { discard, requestUpstream, UpstreamError } from './request.ts';

/** A file of an upstream, which stays the same for ever. */
export interface UpstreamFile {
  /** Which one, unique among all paths of the upstream. */
  readonly path: string;
  /** The package, of `nameKey`. */
  readonly key: string;
  /** Finds its URL and expected digest; called when it is not cached. */
  readonly locate: () => Promise<LocatedFile>;
}

/** Where a file is. */
export interface LocatedFile {
  readonly url: string;
  /** Instead of the upstream's credentials. */
  readonly authorization?: () => Promise<string | undefined>;
  /** The expected digest, if its metadata have one; otherwise it must be the same as when it was first fetched. */
  readonly expected?: () => Promise<ExpectedContent>;
}

/** What follows when the response of the upstream has begun. */
interface Progress {
  readonly live: LiveCopy;
  /** Bytes; undefined if the upstream does not say. */
  size: number | undefined;
}

/**
 * Serves a file, fetching it if it is not cached: the client gets it while it is stored.
 * @throws PackageError 401, 404, 502, 503
 */
export async function serveUpstreamFile(
  call: PackageCall,
  upstream: PackageUpstreamRow,
  file: UpstreamFile,
  options: ServeOptions,
): Promise<HttpResponse> {
  const { context, request } = call;
  const progress: Progress = { live: new LiveCopy(), size: undefined };
  const cached = cachedFile(call, upstream, file, progress);
  // A failure after the response has begun ends the stream, below.
  cached.catch(() => {});
  const { range, 'if-none-match': etag, 'if-modified-since': since } = request.headers;
  const isWhole = request.method === 'GET' && range === undefined && etag === undefined && since === undefined;
  const found = await (isWhole ? Promise.race([progress.live.begun, cached]) : cached);
  if (found) return await serveFile(call, { blob: found.blob }, { ...options, name: options.name ?? null });
  const rest = ({ blob }: WholeCached, offset: number) =>
    offset < blob.size ? openBlob(context, blob, { start: offset, end: blob.size - 1 }) : Promise.resolve(Readable.from([]));
  return raw(progress.live.read(cached, rest), options.type ?? 'application/octet-stream', { headers: headersOf(options, progress) });
}

/**
 * A file of an upstream, fetched if it is not cached.
 * @throws PackageError 401, 404, 502, 503
 */
export async function cachedFile(
  call: Pick<PackageCall, 'context' | 'request'>,
  upstream: PackageUpstreamRow,
  file: UpstreamFile,
  progress: Progress = { live: new LiveCopy(), size: undefined },
): Promise<WholeCached> {
  const { context } = call;
  const find = async () => {
    const found = await findCached(context, upstream, file.path);
    return isThere(found) ? found : undefined;
  };
  const known = await find();
  if (known) {
    await noteUse(context, known);
    countRequest(context, upstream, 'hit');
    return known;
  }
  try {
    const located = await file.locate();
    return await fetching(call, upstream, file.path, find, () => fetchFile(context, upstream, file, located, progress));
  } catch (error) {
    throw asRefusal(context, upstream, file.path, error);
  }
}

async function fetchFile(
  context: Context,
  upstream: PackageUpstreamRow,
  { path, key }: UpstreamFile,
  located: LocatedFile,
  progress: Progress,
): Promise<WholeCached> {
  const expected = (await located.expected?.()) ?? {};
  const authorization = await located.authorization?.();
  // An administrator who reads it causes a fetch for all.
  const maxSize = Math.min(upstream.max_file_size, maxFileSize({ ...context, actor: null }, upstream.type), expected.maxSize ?? Infinity);
  const before = (await findCached(context, upstream, path))?.row.sha256;
  const response = await requestUpstream(context, upstream, {
    url: located.url,
    timeout: context.settings.packages.upstreamTimeout,
    ...(authorization !== undefined && { authorization }),
  });
  const length = headerOf(response, 'content-length');
  const size = /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  if (size !== undefined && size > maxSize) {
    discard(response.body);
    throw new UpstreamError(`its file has more than ${maxSize} bytes`);
  }
  progress.size = size;
  const blob = await storeBlob(context, progress.live.follow(wholeOf(response.body)), {
    ...expected,
    // Whatever its metadata say now.
    ...(before && { sha256: before }),
    ...(size !== undefined && { size }),
    maxSize,
  });
  countRequest(context, upstream, 'miss');
  return await keepFetched(context, upstream, key, { path, blob, sha256: blob.sha256 });
}

/** @throws UpstreamError when the connection fails */
async function* wholeOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new UpstreamError('its response ended too early', { cause: error });
  }
}

function headersOf({ name = null, etag, headers = {} }: ServeOptions, { size }: Progress): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(size !== undefined && { 'content-length': String(size) }),
    ...(name !== null && savedAs(name)),
    ...(etag !== undefined && { etag: `"${etag}"` }),
    ...headers,
  };
}
