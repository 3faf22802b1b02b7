import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { DirectBody, giveAway, writeDirectly } from './direct-body.ts';
import { HttpResponse } from './responses.ts';
import type { AnyRoute } from './route.ts';
import { serializerOf } from './serialization.ts';

/** Sends the result of a handler: serialized by the shape of its status, or as it is. `usual` is the route's first status. */
export async function send(reply: FastifyReply, route: AnyRoute, result: unknown, usual: number): Promise<FastifyReply> {
  const response = result instanceof HttpResponse ? result : undefined;
  const status = response?.status ?? usual;
  const body = response ? response.body : result;
  reply.code(status);
  if (response) reply.headers(response.headers);
  if (body instanceof DirectBody) return await sendDirectly(reply, body);
  if (response?.raw) return reply.send(body === '' ? undefined : (body as string | Buffer | Readable));
  const shape = route.responses[status];
  if (shape === null) return reply.send();
  reply.header('content-type', 'application/json; charset=utf-8');
  // The text ends with a line break, as clients expect.
  return reply.send(`${shape ? serializerOf(shape)(body) : JSON.stringify(body ?? null)}\n`);
}

async function sendDirectly(reply: FastifyReply, body: DirectBody): Promise<FastifyReply> {
  const connection = giveAway(reply.request.raw, reply.raw);
  if (!connection) return reply.send(body.relayed());
  reply.hijack();
  reply.raw.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
  await writeDirectly(reply.raw, connection, body.into);
  return reply;
}
