import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Release } from '../../concurrency/semaphore.ts';
import { type Context, callerKey } from '../../context.ts';
import { HttpResponse } from '../responses.ts';
import type { AnyRoute, RequestParts } from '../route.ts';
import { DirectBody } from './direct-body.ts';

/** Bodies up to this many bytes are not counted. */
const SMALL_BODY = 64 * 1024;
/** Responses up to this many characters are not counted. */
const SMALL_RESPONSE = 1024 * 1024;

/**
 * Waits until there is memory for a request's body, and holds it until the response has ended: the body may be in memory that long.
 * @param limit size limit of the body, which counts for a body without a length
 * @throws BusyError
 */
export async function holdBody(context: Context, request: IncomingMessage, response: ServerResponse, limit: number): Promise<void> {
  const { headers } = request;
  const bytes = 'transfer-encoding' in headers ? limit : Math.min(limit, Number(headers['content-length'] ?? 0));
  if (bytes <= SMALL_BODY) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  const release = await context.semaphores.bodies.acquire(callerKey(context), { weight: bytes, signal: gone.signal });
  response.off('close', onClose);
  releaseAtEnd(response, release);
}

/**
 * Counts a response that is in memory as a whole, until it has been sent: a slow client holds it for long.
 * @param length its characters
 * @throws BusyError at once when long responses take too much memory already
 */
export async function holdResponse(context: Context, length: number, response: ServerResponse): Promise<void> {
  if (length <= SMALL_RESPONSE) return;
  releaseAtEnd(response, await context.semaphores.responses.acquire(callerKey(context), { weight: length }));
}

/**
 * Handles a request with a permit of its route's semaphore. The permit is released with the result, or with the end of the response if
 * that is a stream.
 * @throws BusyError, or the error of `handle`
 */
export async function withPermit(
  route: Pick<AnyRoute, 'semaphore'>,
  context: Context,
  request: RequestParts,
  response: ServerResponse,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  if (route.semaphore === undefined) return await handle();
  const release = await context.semaphores[route.semaphore].acquire(callerKey(context), { signal: request.signal });
  try {
    const result = await handle();
    if (isStream(result)) releaseAtEnd(response, release);
    else release();
    return result;
  } catch (error) {
    release();
    throw error;
  }
}

/** Releases a permit that a handler took with the end of its response's stream, or of the request; at once for other bodies. */
export function releaseWith({ body }: HttpResponse, { signal }: Pick<RequestParts, 'signal'>, release: Release): void {
  if (body instanceof Readable) {
    body.once('close', release);
    signal.addEventListener('abort', release, { once: true });
  } else release();
}

function releaseAtEnd(response: ServerResponse, release: Release): void {
  if (response.closed) release();
  else response.once('close', release);
}

function isStream(result: unknown): boolean {
  return result instanceof HttpResponse && (result.body instanceof Readable || result.body instanceof DirectBody);
}
