import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../context.ts';
import { preflightHeaders } from './cors.ts';
import { requestUrl } from './request-url.ts';

/** The path prefix of the API. */
export const API_PREFIX = '/api/v1';
/** The path prefix of the package registries. */
const PACKAGES_PREFIX = '/api/packages/';
/** The path prefix of the registry of containers. */
const CONTAINERS_PREFIX = '/v2/';
/** The body of a 404, inside and outside of the API. */
const NOT_FOUND = { api: '404 page not found\n', web: 'Not found.\n' };

/**
 * Handles requests that no route serves: preflights, other methods of known paths, and unknown paths.
 * @param methodsOf the methods of the routes of a path
 */
export function notServed(
  services: Services,
  methodsOf: (pathname: string) => readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { pathname } = requestUrl(services, request);
  if (request.method === 'OPTIONS') {
    return reply.code(200).headers(preflightHeaders(services.settings.cors, request.headers.origin)).send();
  }
  const allowed = methodsOf(pathname);
  if (allowed.length > 0) return reply.code(405).header('allow', allowed.join(', ')).send();
  return nothingHere(reply, pathname);
}

/** Responds with a 404 in plain text. */
export function nothingHere(reply: FastifyReply, pathname: string): FastifyReply {
  return reply
    .code(404)
    .type('text/plain; charset=utf-8')
    .send(NOT_FOUND[isOfApi(pathname) || pathname.startsWith(PACKAGES_PREFIX) ? 'api' : 'web']);
}

/** Whether a path belongs to the API, or to a package registry: only programs read its errors. */
export function isForPrograms(pathname: string): boolean {
  return isOfApi(pathname) || pathname.startsWith(PACKAGES_PREFIX) || pathname.startsWith(CONTAINERS_PREFIX);
}

/** Whether a path belongs to the API. */
function isOfApi(pathname: string): boolean {
  return pathname === API_PREFIX || pathname.startsWith(`${API_PREFIX}/`);
}
