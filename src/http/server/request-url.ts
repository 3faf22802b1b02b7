import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../context.ts';
import { badRequest, HttpError, notFound, unprocessable } from '../errors.ts';

const WARNING = 'token and access_token in the query are no longer accepted; send them in the Authorization header';

/**
 * The requested URL, always on this server: `//host/…` and an absolute URL (RFC 9112, section 3.2) could name another one, and links to
 * further pages are made from it.
 */
export function requestUrl({ settings }: Services, { url }: FastifyRequest): URL {
  const target = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? url;
  return new URL(new URL(settings.server.rootUrl).origin + (target.startsWith('/') ? target : `/${target}`));
}

/** @throws HttpError 414 for a path and query that are longer than the settings allow */
export function refuseLong(address: string, { settings }: Services): void {
  const { queryLength } = settings.limits;
  if (address.length > queryLength) throw new HttpError(414, `the path and query have more than ${queryLength} characters`);
}

/** Refuses NUL: no name and no text contains it, and PostgreSQL does not accept it. */
export function refuseNul(address: string): void {
  const nul = address.indexOf('%00');
  if (nul < 0) return;
  const query = address.indexOf('?');
  throw query >= 0 && query < nul ? unprocessable('the query has a NUL character in it') : notFound();
}

/**
 * A proxy may have used the other one (RFC 9112, section 3.2).
 * @param headers names and values, alternating
 * @throws HttpError 400 for a request with more than one `Host`
 */
export function refuseSeveralHosts(headers: readonly string[]): void {
  let hosts = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (name?.length === 4 && name.toLowerCase() === 'host' && ++hosts > 1) throw badRequest('the request has several Host headers');
  }
}

/** Warns clients that send a token in the query that the server does not read it. */
export function warnOfQueryTokens(search: URLSearchParams, reply: FastifyReply): void {
  if (!search.get('token') && !search.get('access_token')) return;
  reply.header('x-service-warning', WARNING);
  reply.header('x-gitea-warning', WARNING);
}
