import type { TSchema } from 'typebox';
import type { AnyRoute } from '../route.ts';
import { APIError, APINotFound } from './error-schema.ts';

type Json = Record<string, unknown>;

/** The shared responses of operations, by status: their names, where clients know one, and descriptions. */
const SHARED: Readonly<Record<number, readonly [name: string, description: string, shape?: TSchema | null]>> = {
  204: ['empty', 'done; no content', null],
  301: ['moved', 'what the path names has moved', null],
  303: ['redirect', 'the response is elsewhere', null],
  307: ['renamed', 'an account that the path names has another name now', null],
  304: ['notModified', 'nothing has changed since the client got it', null],
  400: ['error', 'the request makes no sense'],
  401: ['unauthorized', 'the caller has to authenticate, or failed to'],
  403: ['forbidden', 'the caller, or their token, may not do this'],
  404: ['notFound', 'what the path or the request names does not exist, or is hidden from the caller', APINotFound],
  405: ['notAllowed', 'this cannot be done here'],
  409: ['conflict', 'the state of things forbids it'],
  412: ['preconditionFailed', 'a condition for this is not met'],
  413: ['tooLarge', 'the body is too large'],
  414: ['uriTooLong', 'the path and query are too long'],
  416: ['rangeNotSatisfiable', 'the range is not within the content'],
  422: ['validationError', 'the request has an invalid value, or asks for something impossible'],
  423: ['repoArchivedError', 'the repository is archived, or takes no changes'],
  429: ['tooManyRequests', 'too many failed sign-ins; `Retry-After` says when to try again'],
  503: ['unavailable', 'the server has too much to do, or does not reach its database; try again later'],
  507: ['insufficientStorage', 'the disk of the server is full'],
};

/** The responses that operations refer to, each with its shape as `describe` writes it. */
export function sharedResponses(describe: (shape: TSchema) => unknown): Json {
  return Object.fromEntries(
    Object.values(SHARED).map(([name, description, shape = APIError]) => [
      name,
      { description, ...(shape && { schema: describe(shape) }) },
    ]),
  );
}

/** Every status that a response of this route may have, in ascending order. */
export function statusesOf(route: AnyRoute): number[] {
  const statuses = new Set<number>(Object.keys(route.responses).map(Number));
  for (const status of route.also ?? []) statuses.add(status);
  for (const status of route.redirects ?? []) statuses.add(status);
  for (const { status } of [...(route.needs ?? []), ...(route.needsAfterBody ?? [])]) if (status) statuses.add(status);
  // NUL in the path or the query; too long a query; an unknown user in `sudo`; no free thread or connection in time.
  for (const status of [404, 414, 422, 503]) statuses.add(status);
  if (!route.open) for (const status of [401, 403, 429]) statuses.add(status);
  if (route.body !== undefined) statuses.add(413);
  if (route.method !== 'GET') statuses.add(507);
  return [...statuses].sort((a, b) => a - b);
}

/**
 * The responses of a route.
 * @param describe converts a shape to the description's format
 */
export function responsesOf(route: AnyRoute, describe: (shape: TSchema) => unknown): Json {
  return Object.fromEntries(statusesOf(route).map((status) => [status, responseOf(route, status, describe)]));
}

function responseOf({ responses }: AnyRoute, status: number, describe: (shape: TSchema) => unknown): Json {
  const shape = responses[status];
  const shared = SHARED[status];
  if (shared && (shape === undefined || (shape === null && shared[2] === null))) return { $ref: `#/responses/${shared[0]}` };
  if (!shape) return { description: status < 300 ? 'done; no content' : `${shared?.[1] ?? 'refused'}; there may be no content` };
  return { description: (shape as { $id?: string }).$id ?? shared?.[1] ?? 'the response', schema: describe(shape) };
}

/**
 * The media types of a route's responses. Swagger 2.0 has one list for all statuses, and readers expect each response to have one of them:
 * so there is no list where a response of the route has no body. A route that an instance can disable has a 404 in plain text then, like
 * every unknown path.
 */
export function mediaTypesOf(route: AnyRoute): string[] | undefined {
  if (Object.values(route.responses).includes(null)) return undefined;
  const page = route.method === 'GET' && statusesOf(route).some((status) => status >= 300 && status < 400);
  const others = [...(page ? ['text/html'] : []), ...(route.when ? ['text/plain'] : [])];
  return [...new Set([...(route.produces ?? []), 'application/json', ...others])];
}
