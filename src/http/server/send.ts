import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import type { Context } from '../../context.ts';
import { HttpResponse } from '../responses.ts';
import type { AnyRoute } from '../route.ts';
import { DirectBody, giveAway, writeDirectly } from './direct-body.ts';
import { holdResponse } from './permits.ts';
import { jsonOf, projected } from './serialization.ts';

/**
 * Sends the result of a handler: serialized by the shape of its status, or as it is.
 * @param usual the route's first status
 * @throws BusyError when long responses take too much memory
 */
export async function send(reply: FastifyReply, route: AnyRoute, context: Context, result: unknown, usual: number): Promise<FastifyReply> {
  const response = result instanceof HttpResponse ? result : undefined;
  const status = response?.status ?? usual;
  const body = response ? response.body : result;
  const shape = route.responses[status];
  const isJson = !response?.raw && !(body instanceof DirectBody) && shape !== null;
  const content = isJson ? await json(reply, context, shape, body) : body;
  if (response?.raw && (typeof body === 'string' || Buffer.isBuffer(body))) await holdResponse(context, body.length, reply.raw);
  reply.code(status);
  if (response) reply.headers(response.headers);
  if (body instanceof DirectBody) return await sendDirectly(reply, body);
  if (isJson) return sendJson(reply, content as string | readonly Buffer[]);
  if (!response?.raw) return reply.send();
  return reply.send(body === '' ? undefined : (body as string | Buffer | Readable));
}

/** The text ends with a line break, as clients expect. Memory is counted before it takes any. */
async function json(reply: FastifyReply, context: Context, shape: TSchema | undefined, body: unknown): Promise<string | Buffer[]> {
  if (!shape) return `${JSON.stringify(body ?? null)}\n`;
  const found = await projected(shape, body);
  await holdResponse(context, found.longTexts, reply.raw);
  const content = await jsonOf(found);
  if (typeof content === 'string') return `${content}\n`;
  // Its length was not known before.
  if (found.isLarge) await holdResponse(context, lengthOf(content) - found.longTexts, reply.raw);
  return [...content, LINE_BREAK];
}

const LINE_BREAK = Buffer.from('\n');

function sendJson(reply: FastifyReply, content: string | readonly Buffer[]): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8');
  if (typeof content === 'string') return reply.send(content);
  return reply.header('content-length', lengthOf(content)).send(Readable.from(content, { objectMode: false }));
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
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
