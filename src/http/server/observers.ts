import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../context.ts';
import type { AccessRecord } from '../../log/access.ts';
import { loggablePath, loggableUrl } from '../../log.ts';
import { RequestMetrics } from '../../metrics/requests.ts';
import type { Settings } from '../../settings.ts';
import { clientAddress, isWithin } from '../../text/ip-addresses.ts';
import { beginOperation, endOperation, type Operation } from '../../tracing/operations.ts';
import { callerOf } from './caller-of.ts';
import { corsHeaders } from './cors.ts';
import { noteRequest } from './direct-body.ts';
import { SlowClients } from './slow-clients.ts';

const UNREAD_GRACE_MS = 2000;

/** A response belongs to its caller: no proxy may serve it to others, or reuse it. Some cache `.zip` files unless told not to. */
export const UNSHARED = 'max-age=0, private, must-revalidate, no-transform';

/** Adds what every request needs: headers, the check for slow clients, metrics and the log. */
export function addObservers(app: FastifyInstance, services: Services): void {
  const { log, settings } = services;
  const header = settings.security.requestIdResponseHeader;
  const requests = new RequestMetrics(services.metrics);
  const { accessLog } = services;
  /** The bytes that had been written to the connection when a request arrived. */
  const written = new WeakMap<FastifyRequest['raw'], number>();
  const slowClients = new SlowClients(settings.server);
  app.addHook('onClose', async () => slowClients.stop());
  app.addHook('onRequest', (request, reply, next) => traceRequest(settings, request, reply, next));
  app.addHook('onRequest', async (request, reply) => {
    if (!noteRequest(request.raw)) {
      // Gets no response, and ends with the connection.
      reply.hijack();
      return;
    }
    if (accessLog) written.set(request.raw, request.raw.socket.bytesWritten);
    requests.begin();
    reply.raw.once('close', () => requests.end());
    slowClients.watch(request.raw, reply.raw);
    reply.header('x-content-type-options', 'nosniff');
    // Routes whose responses are the same for everybody set the header themselves.
    reply.header('cache-control', UNSHARED);
    if (header) reply.header('x-request-id', request.id);
    for (const [name, value] of Object.entries(corsHeaders(settings.cors, request.headers.origin))) reply.header(name, value);
  });
  app.addHook('onResponse', async (request, reply) => {
    endUnread(request.raw);
    requests.count(request.match?.pattern, request.method, reply.statusCode, reply.elapsedTime);
    accessLog?.write(accessRecord(services, request, reply, written.get(request.raw) ?? 0));
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

/** Traces the request as an operation of the trace that a proxy in front has named. */
function traceRequest({ server, tracing }: Settings, request: FastifyRequest, { raw }: FastifyReply, next: () => void): void {
  if (!tracing.endpoint) {
    next();
    return;
  }
  const { method, id, headers, match, socket } = request;
  const route = match?.pattern ?? '';
  const isBelieved = isWithin(socket.remoteAddress ?? '', server.trustedProxies);
  const operation: Operation = {
    name: `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'copse.request.id': id },
    ...(isBelieved && { carrier: headers }),
  };
  raw.once('close', () => {
    operation.attributes['http.response.status_code'] = raw.statusCode;
    endOperation(operation);
  });
  beginOperation(operation, next);
}

function accessRecord(
  { settings }: Services,
  { id, raw, url, method, headers, match }: FastifyRequest,
  reply: FastifyReply,
  bytesBefore: number,
): AccessRecord {
  return {
    requestId: id,
    address: clientAddress(raw.socket.remoteAddress ?? '', headers['x-forwarded-for'], settings.server.trustedProxies),
    user: callerOf(raw),
    method,
    route: match?.pattern ?? '',
    path: loggablePath(url.split('?', 1)[0] ?? ''),
    protocol: `HTTP/${raw.httpVersion}`,
    status: reply.statusCode,
    bytes: Math.max(0, raw.socket.bytesWritten - bytesBefore),
    milliseconds: reply.elapsedTime,
    userAgent: headers['user-agent'] ?? '',
  };
}

/**
 * Closes the connection of a request whose response was sent before the end of its body: nobody reads the rest, so nobody would notice
 * when the client disconnects. The client has a moment to read the response.
 */
function endUnread(request: FastifyRequest['raw']): void {
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, UNREAD_GRACE_MS).unref();
}
