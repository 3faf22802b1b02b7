import type { FastifyReply, FastifyRequest } from 'fastify';
import type findMyWay from 'find-my-way';
import type { Services } from '../context.ts';
import { preflightHeaders } from './cors.ts';
import { requestUrl } from './request-url.ts';

/** Where the routes of the interface begin. */
export const API_PREFIX = '/api/v1';
/** Where the registries of packages begin. */
const PACKAGES_PREFIX = '/api/packages/';
/** The body of a 404, inside and outside of the API. */
const NOT_FOUND = { interface: '404 page not found\n', web: 'Not found.\n' };

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The paths of all routes, by method. */
export type FindMyWayPaths = ReturnType<typeof findMyWay>;

/** What no route serves: preflights, other methods of known paths, and unknown paths. */
export function notServed(services: Services, paths: FindMyWayPaths, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { pathname } = requestUrl(services, request);
  if (request.method === 'OPTIONS') {
    return reply.code(200).headers(preflightHeaders(services.settings.cors, request.headers.origin)).send();
  }
  const isServed = (method: (typeof METHODS)[number]) => {
    const found = paths.find(method, pathname);
    return found !== null && !(found.store.isNamed && isNobodys(pathname));
  };
  const allowed = METHODS.filter(isServed);
  if (allowed.length > 0) return reply.code(405).header('allow', allowed.join(', ')).send();
  return nothingHere(reply, pathname);
}

/** Responds with a 404 in plain text. */
export function nothingHere(reply: FastifyReply, pathname: string): FastifyReply {
  return reply
    .code(404)
    .type('text/plain; charset=utf-8')
    .send(NOT_FOUND[isOfApi(pathname) || pathname.startsWith(PACKAGES_PREFIX) ? 'interface' : 'web']);
}

/** Whether the path of a route begins with the name of an account. */
export function beginsWithName(path: string): boolean {
  return /^\/\/:\w+(?:\/|$)/.test(path);
}

/** Whether a path begins with a word that is no name: that of the API. */
export function isNobodys(pathname: string): boolean {
  return /^\/+api(?:\/|$)/.test(pathname);
}

/** Whether a path is one of the API. */
export function isOfApi(pathname: string): boolean {
  return pathname === API_PREFIX || pathname.startsWith(`${API_PREFIX}/`);
}
