import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Context, Services } from '../../context.ts';
import { clientAddress, isWithin } from '../../text/ip-addresses.ts';
import { bindBody } from '../bodies/body.ts';
import { readForm } from '../bodies/form.ts';
import { HttpError } from '../errors.ts';
import type { AnyRoute, RequestParts } from '../route.ts';
import type { Definition } from '../schema.ts';
import type { Admission, Admit } from './admission.ts';
import { noteCaller } from './caller-of.ts';
import { closeWhileDraining } from './drain.ts';
import { unlessGone } from './gone.ts';
import { withoutBody } from './head.ts';
import { type NotFoundPage, showNotFound } from './not-found.ts';
import { nothingHere, notServed } from './not-served.ts';
import { addObservers, UNSHARED } from './observers.ts';
import { holdBody, withPermit } from './permits.ts';
import { readQuery } from './query.ts';
import { refuse, refuseDownload } from './refuse.ts';
import { refuseLong, refuseNul, refuseSeveralHosts, requestUrl, warnOfQueryTokens } from './request-url.ts';
import { isNobodys, repositoryOfModule, routerOf } from './router.ts';
import { send } from './send.ts';
import { readCertificate } from './tls.ts';

/** Headers of a response that say nothing of the error that takes its place. */
const ABOUT_CONTENT = ['content-disposition', 'content-length', 'content-encoding', 'etag', 'last-modified', 'expires'];

/** The HTTP server: every route runs the same steps, and every error is handled in one place. */
export function buildApp(
  services: Services,
  routes: readonly AnyRoute[],
  admissionOf: Admission,
  notFoundPage: NotFoundPage,
): FastifyInstance {
  const { server } = services.settings;
  const idHeader = services.settings.log.requestIdHeader;
  const certificate = readCertificate(server);
  const app = Fastify({
    logger: false,
    ...(certificate && { https: certificate }),
    http: { headersTimeout: server.headersTimeout },
    requestTimeout: server.requestTimeout,
    keepAliveTimeout: server.keepAliveTimeout,
    forceCloseConnections: 'idle',
    // Bodies and responses are validated and serialized by our own code, so Fastify's own compilers are not loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { onBadUrl: (_, __, response) => badUrl(response) },
    genReqId: (request) => {
      const isBelieved = idHeader !== null && isWithin(request.socket?.remoteAddress ?? '', server.trustedProxies);
      return requestId(isBelieved ? request.headers[idHeader.toLowerCase()] : undefined);
    },
  });
  app.removeAllContentTypeParsers();
  // Handlers read the body themselves, with the limit and the shape of their route.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  closeWhileDraining(app);
  // Fastify routes nothing itself: registering all routes with it takes a tenth of a second at each start.
  const router = routerOf(routes, services.settings);
  app.decorateRequest('match');
  app.addHook('onRequest', (request, _reply, next) => {
    request.match = router.find(request.method, repositoryOfModule(request.url));
    next();
  });
  addObservers(app, services);
  showNotFound(app, services, notFoundPage);
  const handlers = new Map<AnyRoute, Handle>();
  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    const { match } = request;
    if (!match) return notServed(services, (pathname) => router.methodsOf(pathname), request, reply);
    const [pathname = ''] = request.url.split('?', 1);
    // An unknown path of the API is never a page of an account: the first segment is a reserved name.
    if (match.isNamed && isNobodys(pathname)) return nothingHere(reply, pathname);
    const handler = handlers.get(match.route) ?? handlerOf(services, match.route, admissionOf(services, match.route));
    handlers.set(match.route, handler);
    return handler(request, reply);
  };
  // An invalid media type is refused like any other that a route does not accept: by its handler, after all earlier checks. Other errors
  // are those of responses that end before their first byte.
  app.setErrorHandler(async (error: { code?: string }, request, reply) => {
    // A method with a body but without a media type is handled the same way.
    const isOfType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';
    if (isOfType) return handle(request, reply);
    for (const name of ABOUT_CONTENT) reply.removeHeader(name);
    reply.header('cache-control', UNSHARED);
    return refuse(services, request, reply, error);
  });
  const others = app.supportedMethods.filter((method) => method !== 'HEAD');
  app.route({ method: others, url: '*', exposeHeadRoute: false, handler: handle });
  app.route({ method: 'HEAD', url: '*', handler: handle, onSend: withoutBody });
  // Methods that Fastify does not know.
  app.setNotFoundHandler(handle);
  return app;
}

type Handle = ReturnType<typeof handlerOf>;

/** Accepts the request id of a proxy in front if it looks like an id. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,128}$/.test(given) ? given : randomUUID();
}

function badUrl(response: import('node:http').ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }).end('400 Bad Request');
}

function handlerOf(services: Services, route: AnyRoute, admit: Admit) {
  const [usual] = Object.keys(route.responses).map(Number);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const url = requestUrl(services, request);
    try {
      refuseLong(request.url, services);
      refuseNul(request.url);
      refuseSeveralHosts(request.raw.rawHeaders);
      warnOfQueryTokens(url.searchParams, reply);
      const peer = request.raw.socket.remoteAddress ?? '';
      const ip = clientAddress(peer, request.headers['x-forwarded-for'], services.settings.server.trustedProxies);
      const { id, method, headers } = request;
      const target = request.raw.url ?? '';
      const params = request.match?.params ?? {};
      const { context, input } = await admit({ id, method, target, url, headers, ip, peer, params });
      noteCaller(request.raw, context.actor);
      const body =
        route.body === undefined || route.body === 'stream' ? undefined : await readShape(route, route.body, request, reply, context);
      for (const need of route.needsAfterBody ?? []) await need.check(input, context);
      context.act?.read(body);
      const query = readQuery(url.searchParams, route.query);
      const parts = partsOf(request, reply, url, ip);
      const handle = async (context: Context) => {
        try {
          return await route.handle({ ...input, query, body, request: parts } as never, context);
        } catch (error) {
          throw await unlessGone(route, context, params, url, error);
        }
      };
      const result = await withPermit(route, context, parts, reply.raw, () =>
        context.act ? context.act.around(context, handle) : handle(context),
      );
      return await send(reply, route, context, result, usual ?? 200);
    } catch (error) {
      if (route.download && error instanceof HttpError && [400, 401, 403, 404].includes(error.status)) return refuseDownload(reply, error);
      return await refuse(services, request, reply, error);
    }
  };
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

function partsOf(request: FastifyRequest, reply: FastifyReply, url: URL, ip: string): RequestParts {
  let controller: AbortController | undefined;
  return {
    id: request.id,
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

function noCompiler(): never {
  throw new Error('routes have no schemas of Fastify');
}
