import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../context.ts';
import { isOfApi } from './not-served.ts';
import type { HttpResponse } from './responses.ts';

/** Makes the page of the same meaning for the person who asks; `web/not-found.ts`, which the server hands to `buildApp`. */
export type NotFoundPage = (services: Services, headers: IncomingHttpHeaders) => Promise<HttpResponse>;

/** Shows browsers a page for every 404 beside the API, whichever route it comes from: so all of them look alike. */
export function showNotFound(app: FastifyInstance, services: Services, page: NotFoundPage): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 404 || !isForPeople(request) || isPage(reply)) return payload;
    const { body, headers } = await page(services, request.headers);
    reply.removeHeader('content-length');
    reply.headers(headers);
    return body;
  });
}

/** Programs that take anything do not name HTML. */
function isForPeople({ method, url, headers }: FastifyRequest): boolean {
  const takesHtml = headers.accept?.toLowerCase().includes('text/html') ?? false;
  return takesHtml && (method === 'GET' || method === 'HEAD') && !isOfApi(url.split('?', 1)[0] ?? '');
}

function isPage(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type') ?? '').startsWith('text/html');
}
