import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { Context, Services } from '../context.ts';
import { DatabaseError } from '../database/errors.ts';
import { loggableUrl } from '../log.ts';
import { clientAddress } from '../text/addresses.ts';
import type { Admission, Admit } from './admission.ts';
import { Answer, errorAnswer } from './answers.ts';
import { bindBody } from './body.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { DirectBody, giveAway, noteRequest, writeDirectly } from './direct-body.ts';
import { diskFull } from './disk-errors.ts';
import { closeWhileDraining } from './drain.ts';
import { HttpError, notFound, unprocessable } from './errors.ts';
import { readForm } from './form.ts';
import { holdBody, withPermit } from './permits.ts';
import { readQuery } from './query.ts';
import type { AnyRoute, RequestParts } from './route.ts';
import type { Definition } from './schema.ts';
import { serializerOf } from './serialization.ts';
import { SlowClients } from './slow-clients.ts';

/** Where the routes of the interface begin. */
export const API_PREFIX = '/api/v1';
const UNREAD_GRACE_MS = 2000;
/** What is told of no address: below the interface, and beside it. */
const NOT_FOUND = { interface: '404 page not found\n', web: 'Not found.\n' };
const WARNING = 'token and access_token in the query are no longer accepted; send them in the Authorization header';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type FindMyWayPaths = ReturnType<typeof findMyWay>;

/** The server's HTTP side: every route behind the same steps, every error answered in one place. */
export function buildApp(services: Services, routes: readonly AnyRoute[], admissionOf: Admission): FastifyInstance {
  const { server, limits } = services.settings;
  const idHeader = services.settings.log.requestIdHeader;
  // Clients that join addresses carelessly write a slash too many.
  const routing = { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: limits.queryLength };
  const app = Fastify({
    logger: false,
    ...(server.tlsCertificate &&
      server.tlsKey && { https: { cert: readFileSync(server.tlsCertificate), key: readFileSync(server.tlsKey) } }),
    http: { headersTimeout: server.headersTimeout },
    requestTimeout: server.requestTimeout,
    keepAliveTimeout: server.keepAliveTimeout,
    forceCloseConnections: 'idle',
    routerOptions: { ...routing, onBadUrl: (_, __, response) => badUrl(response) },
    genReqId: (request) => requestId(idHeader === null ? undefined : request.headers[idHeader.toLowerCase()]),
  });
  app.removeAllContentTypeParsers();
  // Handlers read the body themselves, with the bound and the shape of their route.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  closeWhileDraining(app);
  addObservers(app, services);
  // What is no media type is refused like any other that a route does not read: by its handler, after all that comes before.
  app.setErrorHandler(async (error: { code?: string }, request, reply) => {
    // A method with a body that says of no media type is as little served as with one.
    if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return notServed(services, paths, request, reply);
    if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error;
    return request.routeOptions.handler?.call(app, request, reply);
  });

  const paths: FindMyWayPaths = findMyWay(routing);
  for (const route of routes.filter(({ when }) => when?.(services.settings) ?? true)) {
    const url = route.path.startsWith('//') ? route.path.slice(1) : API_PREFIX + route.path;
    paths.on(route.method, url, () => {});
    app.route({
      method: route.method,
      url,
      exposeHeadRoute: route.method === 'GET' && (route.head ?? route.path.startsWith('//')),
      handler: handlerOf(services, route, admissionOf(services, route)),
    });
  }
  // Where the interface begins is nobody's repository, though it looks like the address of one.
  app.get(API_PREFIX, (_request, reply) => nothingHere(reply, API_PREFIX));
  app.setNotFoundHandler((request, reply) => notServed(services, paths, request, reply));
  return app;
}

/** Request ids come from a proxy in front when they look like ids. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) ? given : randomUUID();
}

function badUrl(response: import('node:http').ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }).end('400 Bad Request');
}

/** An answer is its caller's: no proxy hands it to somebody else, or unasked once more. */
const UNSHARED = 'max-age=0, private, must-revalidate, no-transform';

function addObservers(app: FastifyInstance, services: Services): void {
  const { log, settings } = services;
  const header = settings.security.requestIdResponseHeader;
  const slowClients = new SlowClients(settings.server);
  app.addHook('onClose', async () => slowClients.stop());
  app.addHook('onRequest', async (request, reply) => {
    if (!noteRequest(request.raw)) {
      // Not answered, and let go of with the connection.
      reply.hijack();
      return;
    }
    slowClients.watch(request.raw, reply.raw);
    reply.header('x-content-type-options', 'nosniff');
    if (request.url.startsWith(`${API_PREFIX}/`)) reply.header('cache-control', UNSHARED);
    if (header) reply.header('x-request-id', request.id);
    for (const [name, value] of Object.entries(corsHeaders(settings.cors, request.headers.origin))) reply.header(name, value);
  });
  app.addHook('onResponse', async (request, reply) => {
    endUnread(request.raw);
    services.metrics.observe(request.method, reply.statusCode, reply.elapsedTime);
    if (!settings.log.requests) return;
    log.info(
      {
        requestId: request.id,
        method: request.method,
        url: loggableUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}

/**
 * Ends the connection of a request that was answered before it was read to its end: nobody reads on, so nobody would see the client
 * leave. The client has a moment to take the answer.
 */
function endUnread(request: FastifyRequest['raw']): void {
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, UNREAD_GRACE_MS).unref();
}

function handlerOf(services: Services, route: AnyRoute, admit: Admit) {
  const [usual] = Object.keys(route.answers).map(Number);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const url = askedUrl(services, request);
    try {
      refuseLong(request.url, services);
      refuseNul(request.url);
      warnOfQueryTokens(url.searchParams, reply);
      const peer = request.raw.socket.remoteAddress ?? '';
      const ip = clientAddress(peer, request.headers['x-forwarded-for'], services.settings.server.trustedProxies);
      const { id, method, headers } = request;
      const target = request.raw.url ?? '';
      const params = request.params as Record<string, string>;
      const { context, input } = await admit({ id, method, target, url, headers, ip, peer, params });
      const body =
        route.body === undefined || route.body === 'stream' ? undefined : await readShape(route, route.body, request, reply, context);
      const query = readQuery(url.searchParams, route.query);
      const parts = partsOf(request, reply, url, ip);
      const result = await withPermit(route, context, parts, reply.raw, () =>
        route.handle({ ...input, query, body, request: parts } as never, context),
      );
      return await send(reply, route, result, usual ?? 200);
    } catch (error) {
      if (route.download && error instanceof HttpError && [400, 401, 403, 404].includes(error.status)) return refuseDownload(reply, error);
      return await refuse(services, request, reply, error);
    }
  };
}

/** What is told of a sign-in that is not good enough. */
const PLAIN_REFUSALS: Readonly<Record<number, string>> = { 401: 'Failed to authenticate user', 403: 'Forbidden' };

/** Who fetches a file is told in plain text why there is none. */
function refuseDownload(reply: FastifyReply, { status, message, fields }: HttpError): FastifyReply {
  const told = PLAIN_REFUSALS[status] ?? ('errors' in fields ? 'Not found.' : message);
  return reply.code(status).type('text/plain; charset=utf-8').send(`${told}\n`);
}

/**
 * The address that the client asked for, always at this server: `//host/…` and an absolute address (RFC 9112, section 3.2) could name
 * another one, and links to further pages are made from it.
 */
function askedUrl({ settings }: Services, { url }: FastifyRequest): URL {
  const target = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? url;
  return new URL(new URL(settings.server.rootUrl).origin + (target.startsWith('/') ? target : `/${target}`));
}

async function readShape(
  route: AnyRoute,
  shape: Definition,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<unknown> {
  const limit = route.bodyLimit?.(context) ?? context.settings.limits.jsonBody;
  await holdBody(context, request.raw, reply.raw, limit);
  return await bindBody(request.raw, shape, limit, (raw) => readForm(raw, context, limit));
}

/** @throws HttpError 414 for a path and query that are longer than the settings allow */
function refuseLong(address: string, { settings }: Services): void {
  const { queryLength } = settings.limits;
  if (address.length > queryLength) throw new HttpError(414, `the path and query have more than ${queryLength} characters`);
}

/** No name and no text has a NUL in it, and PostgreSQL takes none: nothing is found under one. */
function refuseNul(address: string): void {
  const nul = address.indexOf('%00');
  if (nul < 0) return;
  const query = address.indexOf('?');
  throw query >= 0 && query < nul ? unprocessable('the query has a NUL character in it') : notFound();
}

function warnOfQueryTokens(search: URLSearchParams, reply: FastifyReply): void {
  if (!search.get('token') && !search.get('access_token')) return;
  reply.header('x-service-warning', WARNING);
  reply.header('x-gitea-warning', WARNING);
}

function partsOf(request: FastifyRequest, reply: FastifyReply, url: URL, ip: string): RequestParts {
  let controller: AbortController | undefined;
  return {
    method: request.method,
    url: url.href,
    headers: request.headers,
    ip,
    raw: request.raw,
    get signal() {
      if (!controller) {
        const made = new AbortController();
        controller = made;
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) made.abort();
        });
      }
      return controller.signal;
    },
  };
}

async function send(reply: FastifyReply, route: AnyRoute, result: unknown, usual: number): Promise<FastifyReply> {
  const answer = result instanceof Answer ? result : undefined;
  const status = answer?.status ?? usual;
  const body = answer ? answer.body : result;
  reply.code(status);
  if (answer) reply.headers(answer.headers);
  if (body instanceof DirectBody) return await sendDirectly(reply, body);
  if (answer?.raw) return reply.send(body === '' ? undefined : (body as string | Buffer | Readable));
  const shape = route.answers[status];
  if (shape === null) return reply.send();
  reply.header('content-type', 'application/json; charset=utf-8');
  // The text ends with its line, as clients that look at it are used to.
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

async function refuse(services: Services, request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
  const descriptionUrl = `${services.settings.server.rootUrl}api/swagger`;
  const full = diskFull(error);
  if (full) services.log.error({ requestId: request.id, url: loggableUrl(request.url), err: error }, 'the disk is full');
  const known = errorAnswer(full ?? error, descriptionUrl, request.method);
  const about = { requestId: request.id, method: request.method, url: loggableUrl(request.url), err: error };
  if (error instanceof DatabaseError) services.log.warn(about, 'the database could not be used for a request');
  if (!known) {
    // What a client takes back in the middle of its body is no fault of the server.
    if (isGone(request.raw, error)) services.log.info(about, 'a client left before its request was answered');
    else services.log.error(about, 'a request failed');
  }
  const answer = known ?? new Answer({ message: '', url: descriptionUrl }, { status: 500 });
  reply.code(answer.status ?? 500).headers(answer.headers);
  if (answer.raw) return reply.send(answer.body === '' ? undefined : answer.body);
  return reply.header('content-type', 'application/json; charset=utf-8').send(`${JSON.stringify(answer.body)}\n`);
}

function isGone(request: FastifyRequest['raw'], error: unknown): boolean {
  return (request.destroyed && !request.complete) || (error instanceof Error && error.name === 'AbortError');
}

/** What no route serves: preflights, known addresses asked in another way, and nothing at all. */
function notServed(services: Services, paths: FindMyWayPaths, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { pathname } = askedUrl(services, request);
  if (request.method === 'OPTIONS') {
    return reply.code(200).headers(preflightHeaders(services.settings.cors, request.headers.origin)).send();
  }
  const allowed = METHODS.filter((method) => paths.find(method, pathname));
  if (allowed.length > 0) return reply.code(405).header('allow', allowed.join(', ')).send();
  return nothingHere(reply, pathname);
}

function nothingHere(reply: FastifyReply, pathname: string): FastifyReply {
  const isOfInterface = pathname === API_PREFIX || pathname.startsWith(`${API_PREFIX}/`);
  return reply
    .code(404)
    .type('text/plain; charset=utf-8')
    .send(NOT_FOUND[isOfInterface ? 'interface' : 'web']);
}
