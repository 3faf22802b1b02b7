import type { IncomingMessage } from 'node:http';

/** How many bytes are read and discarded. */
const MAX_BYTES = 1024 * 1024;
/** How long the client has to send them, in milliseconds. */
const TIMEOUT_MS = 2000;

/**
 * Reads the rest of a body, if that is small. A client that still sends when its connection is closed may never see the response.
 * @returns whether the body has ended; otherwise the connection cannot be used again
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
