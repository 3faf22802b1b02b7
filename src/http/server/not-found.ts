import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../context.ts';
import type { HttpResponse } from '../responses.ts';
import { isForPrograms } from './not-served.ts';

/** Makes the HTML page for a 404; `web/not-found.ts`, which the server passes to `buildApp`. */
export type NotFoundPage = (services: Services, headers: IncomingHttpHeaders) => Promise<HttpResponse>;

/** Shows browsers a page for every 404, whichever route it comes from: so all look alike. Not in the API and package registries. */
export function showNotFound(app: FastifyInstance, services: Services, page: NotFoundPage): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 404 || !isForPeople(request) || isPage(reply)) return payload;
    const { body, headers } = await page(services, request.headers);
    reply.removeHeader('content-length');
    reply.headers(headers);
    return body;
  });
}

/** Programs that accept anything do not name HTML; pip does, for lists of files. */
function isForPeople({ method, url, headers }: FastifyRequest): boolean {
  const takesHtml = headers.accept?.toLowerCase().includes('text/html') ?? false;
  return takesHtml && (method === 'GET' || method === 'HEAD') && !isForPrograms(url.split('?', 1)[0] ?? '');
}

function isPage(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type') ?? '').startsWith('text/html');
}
