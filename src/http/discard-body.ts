import type { IncomingMessage } from 'node:http';

/** Bytes that are read for nothing. */
const MAX_BYTES = 1024 * 1024;
/** Milliseconds that the client has to send them. */
const TIMEOUT_MS = 2000;

/**
 * Reads what is left of a body, if that is little. A client that still sends when its connection is closed may never see the response.
 * @returns whether the body is at its end; otherwise the connection is of no further use
 */
export async function discardBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return request.complete;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, TIMEOUT_MS);
  let size = 0;
  const count = (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) resolve();
  };
  const done = () => resolve();
  request.on('data', count).once('end', done).once('error', done).once('close', done);
  await promise;
  clearTimeout(timer);
  request.off('data', count).off('end', done).off('error', done).off('close', done).pause();
  return request.complete;
}
