import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends only the headers for a HEAD request that is served by a GET route; a hook of Fastify, `onSend`. */
export async function withoutBody({ match }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (!match?.isHeadOfGet) return payload;
  if (payload instanceof Readable) payload.on('error', () => {}).resume();
  else reply.header('content-length', typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.byteLength(payload) : 0);
  return null;
}
