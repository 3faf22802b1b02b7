import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { OutgoingResponse } from '../../http/outgoing/outgoing.ts';
import { storeBlob } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import { isLongDocument } from '../protocol/encoded.ts';
import type { PackageCall } from '../protocol/format.ts';
import { dropCached, findCached, isThere, keepFetched, noteUse, setCached, type WholeCached } from './cache.ts';
import { asRefusal, countRequest, fetching, isMissing, isOfUpstream, isPassing } from './fetching.ts';
import { discard, requestUpstream, UpstreamError } from './request.ts';
import { spooled } from './spool.ts';

/** Seconds until a failed request for a document is repeated. */
const RETRY_AFTER = 30;
/** Milliseconds for one document. */
const TIMEOUT_MS = 60_000;
/** Bytes that are stored at once. */
const PIECE = 64 * 1024;

/** A document of an upstream, which may change: a list of versions, a tag. */
export interface UpstreamDocument {
  /** Which one, unique among all paths of the upstream. */
  readonly path: string;
  /** The package, of `nameKey`. */
  readonly key: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  /** Instead of the upstream's credentials. */
  readonly authorization?: () => Promise<string | undefined>;
  /** Size limit of it in bytes. */
  readonly maxSize: number;
  /** The prefix of its links; it is fetched again when that changes. */
  readonly baseUrl: string;
  /**
   * Checks the document, which is in a file, and rewrites its links to this registry's.
   * @throws UpstreamError for what cannot be such a document
   */
  readonly read: (file: string, response: Pick<OutgoingResponse<Readable>, 'headers' | 'url'>) => Promise<ReadDocument>;
  /** Clients get it from `serveDocument`, compressed if it is long. */
  readonly hasGzip?: boolean;
  /** It never changes, such as one that is named by its digest. */
  readonly isImmutable?: boolean;
}

/** A document as it is served. */
export interface ReadDocument {
  readonly content: Uint8Array;
  readonly mediaType?: string;
  /** See links.ts. */
  readonly links?: Uint8Array;
}

/**
 * The current document, or one at most `metadata_seconds` old. While the upstream is unavailable the last one is served for a limited time.
 * @throws PackageError 401, 404, 502, 503
 */
export async function cachedDocument(
  call: Pick<PackageCall, 'context' | 'request'>,
  upstream: PackageUpstreamRow,
  document: UpstreamDocument,
): Promise<WholeCached> {
  const { context } = call;
  const find = async () => {
    const cached = await findCached(context, upstream, document.path);
    return isThere(cached) && cached.row.base_url === document.baseUrl ? cached : undefined;
  };
  const isFresh = ({ row }: WholeCached) => document.isImmutable || now() < row.checked_at + upstream.metadata_seconds;
  const findFresh = async () => {
    const found = await find();
    return found && isFresh(found) ? found : undefined;
  };
  const known = await find();
  if (known) await noteUse(context, known);
  if (known && isFresh(known)) {
    countRequest(context, upstream, 'hit');
    return known;
  }
  const isUsable = known !== undefined && now() < known.row.checked_at + context.settings.packages.upstreamMaxStale / 1000;
  if (known && isUsable && now() < known.row.retry_at) {
    countRequest(context, upstream, 'stale');
    return known;
  }
  try {
    return await fetching(call, upstream, document.path, findFresh, () => fetchDocument(context, upstream, document, known));
  } catch (error) {
    if (known && isMissing(error)) await dropCached(context, known);
    if (!known || !isUsable || !isPassing(error)) throw asRefusal(context, upstream, document.path, error);
    context.log.warn({ err: error, upstream: upstream.id, path: document.path }, 'a document of an upstream registry was not renewed');
    countRequest(context, upstream, 'stale');
    // A caller who may not cause fetches does not block others.
    return isOfUpstream(error) ? await setCached(context, known, { retry_at: now() + RETRY_AFTER }) : known;
  }
}

async function fetchDocument(
  context: Context,
  upstream: PackageUpstreamRow,
  document: UpstreamDocument,
  known: WholeCached | undefined,
): Promise<WholeCached> {
  const { path, key, url, baseUrl, maxSize } = document;
  const validators = {
    ...(known?.row.etag && { 'if-none-match': known.row.etag }),
    ...(known?.row.last_modified && { 'if-modified-since': known.row.last_modified }),
  };
  const authorization = await document.authorization?.();
  const response = await requestUpstream(context, upstream, {
    url,
    headers: { ...document.headers, ...validators },
    timeout: Math.min(TIMEOUT_MS, context.settings.packages.upstreamTimeout),
    ...(authorization !== undefined && { authorization }),
  });
  if (response.status === 304 && known) {
    discard(response.body);
    countRequest(context, upstream, 'revalidated');
    return await setCached(context, known, { checked_at: now(), retry_at: 0 });
  }
  const {
    content,
    mediaType = '',
    links,
  } = await spooled(context, response.body, maxSize, (file) => readable(() => document.read(file, response)));
  const blob = await storeBlob(context, inPieces(content));
  const linksBlob = links === undefined ? undefined : await storeBlob(context, inPieces(links));
  const gzip = document.hasGzip && isLongDocument(blob) ? await storeBlob(context, compressed(content)) : undefined;
  countRequest(context, upstream, 'miss');
  return await keepFetched(context, upstream, key, {
    path,
    blob,
    links: linksBlob,
    gzip,
    base_url: baseUrl,
    media_type: mediaType,
    etag: headerOf(response, 'etag'),
    last_modified: headerOf(response, 'last-modified'),
  });
}

/** In pieces, since computing the digests of some megabytes at once would block the event loop. */
function inPieces(content: Uint8Array): Readable {
  const starts = Array.from({ length: Math.ceil(content.length / PIECE) }, (_, index) => index * PIECE);
  return Readable.from(
    starts.map((start) => content.subarray(start, start + PIECE)),
    { objectMode: false },
  );
}

function compressed(content: Uint8Array): Readable {
  return pipeline(inPieces(content), createGzip(), () => {});
}

/** An invalid document is an error of the upstream, not of the request. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof PackageError ? new UpstreamError('its document cannot be read', { cause: error }) : error;
  }
}

/** A header of a response; empty for one that is missing, repeated, or too long to be sent back. */
export function headerOf({ headers }: Pick<OutgoingResponse<Readable>, 'headers'>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' && value.length <= 500 ? value : '';
}
