import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { type OutgoingResponse, openOutgoing } from '../../http/outgoing/outgoing.ts';
import { PackageError } from '../errors.ts';
import { authorizationFor } from './credentials.ts';
import { stateOf } from './state.ts';

/** A request to an upstream. */
export interface UpstreamRequest {
  /** `GET` when left out. */
  readonly method?: 'POST';
  readonly url: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Instead of the upstream's credentials. */
  readonly authorization?: string;
  /** Milliseconds for all of it. */
  readonly timeout: number;
}

/** The upstream does not respond, refuses, or sends something invalid: cached content may be used instead. The details are not shown to callers. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** The upstream requires other credentials, or does not distinguish this from missing content. */
  readonly isRefused: boolean;
  constructor(message: string, { isRefused = false, ...options }: ErrorOptions & { isRefused?: boolean } = {}) {
    super(message, options);
    this.isRefused = isRefused;
  }
}

/**
 * Sends a request to an upstream. The caller reads the body, or destroys it.
 * @returns a response of status 200, or 304 for a conditional request
 * @throws PackageError 404 if the upstream has no such thing, UpstreamError
 */
export async function requestUpstream(
  context: Context,
  upstream: PackageUpstreamRow,
  request: UpstreamRequest,
): Promise<OutgoingResponse<Readable>> {
  const response = await sendUpstream(context, upstream, request);
  const { status, headers, body } = response;
  const encoding = headers['content-encoding'] ?? 'identity';
  // Nothing is decompressed: the response must be unchanged.
  const isUsable = encoding === 'identity' && (status === 200 || (status === 304 && request.headers?.['if-none-match'] !== undefined));
  if (isUsable) return response;
  discard(body);
  if (status === 404 || status === 410 || status === 451) throw new PackageError('no-package');
  if (status === 200) throw new UpstreamError(`its response has the encoding ${encoding}`);
  throw new UpstreamError(`its response has the status ${status}`, { isRefused: status === 401 || status === 403 });
}

/**
 * Sends a request to an upstream, whatever the status of the response.
 * @throws UpstreamError
 */
export async function sendUpstream(
  context: Context,
  upstream: PackageUpstreamRow,
  { url, headers = {}, authorization, timeout, ...sent }: UpstreamRequest,
): Promise<OutgoingResponse<Readable>> {
  const signIn = authorization === undefined ? authorizationFor(context, upstream, url) : { authorization };
  const { signal } = stateOf(context).ending;
  try {
    return await openOutgoing(context.settings, url, { ...sent, headers: { ...headers, ...signIn }, timeout, signal });
  } catch (error) {
    throw new UpstreamError('it cannot be reached', { cause: error });
  }
}

/** Ends a response that is not read. */
export function discard(body: Readable): void {
  body.on('error', () => {}).destroy();
}
