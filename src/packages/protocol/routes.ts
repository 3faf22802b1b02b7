import { findRenamedUser, findUser } from '../../access/find-user.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import { BusyError } from '../../concurrency/semaphore.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError, MovedError } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { discardBody } from '../../http/server/discard-body.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { NewContents } from '../blobs/new-contents.ts';
import { PackageError } from '../errors.ts';
import { checkPackageAccess, packageCaller } from './caller.ts';
import type { FormatRoute, PackageFormat } from './format.ts';
import { compilePattern, matchPath, type PathPattern, readPath } from './patterns.ts';
import { registryUrl } from './registry-url.ts';

const MOUNT = '/api/packages/:username';
const NOT_FOUND = '404 page not found\n';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** No route of the format: plain for every client. */
class NoRouteError extends PackageError {}

interface Row extends FormatRoute {
  readonly pattern: PathPattern;
}

/** A format with compiled routes. */
interface Table {
  readonly format: PackageFormat;
  readonly rows: readonly Row[];
  readonly group: PathPattern | undefined;
}

/**
 * The server's routes of a format. The server's router does not support patterns with several segments in the middle, so it gets only the
 * first segment of each path, and {@link serve} finds the route.
 */
export function routesOf(format: PackageFormat): readonly AnyRoute[] {
  const { mount = MOUNT, routes } = format;
  const rows = routes.map((row) => ({ ...row, pattern: compilePattern(row.path) }));
  const table = { format, rows, group: format.group === undefined ? undefined : compilePattern(format.group) };
  const starts = [...new Set(routes.map(({ path }) => firstSegment(path)))];
  const paths = starts.flatMap((start) => (start === undefined ? [`/${mount}/*`] : [`/${mount}/${start}`, `/${mount}/${start}/*`]));
  return [...new Set(paths)].flatMap((path) => METHODS.map((method) => routeOf(table, path, method)));
}

function routeOf(table: Table, path: string, method: FormatRoute['method']): AnyRoute {
  return route({
    method,
    path,
    id: `packages ${method} ${path}`,
    summary: `Serves packages of the type ${table.format.type}`,
    hidden: true,
    // The format authenticates here itself.
    open: true,
    head: false,
    when: ({ packages }) => packages.enabled,
    ...(method !== 'GET' && method !== 'HEAD' && { body: 'stream' as const }),
    responses: { 200: null },
    handle: ({ request, params }, context) => serve(table, request, params as Record<string, string>, context),
  });
}

/** The segment if it is the same in all paths of the pattern. */
function firstSegment(path: string): string | undefined {
  const first = path.split('/')[1] ?? '';
  return first.includes(':') || first === '' ? undefined : first;
}

async function serve(
  table: Table,
  request: RequestParts,
  { username = '' }: Readonly<Record<string, string>>,
  services: Context,
): Promise<HttpResponse> {
  const { format } = table;
  return await refusing(format, request, services, async () => {
    const found = findRow(table, request);
    const context = await packageCaller(services, request, format);
    const owner = await findOwner(context, username, request);
    const access = await checkPackageAccess(context, owner, found?.row.access ?? 'read');
    if (!found) throw new NoRouteError('missing', { message: NOT_FOUND });
    const baseUrl = registryUrl(context, owner, format.type);
    const { searchParams: query } = new URL(request.url);
    const contents = new NewContents();
    try {
      return await found.row.handle({ context, owner, access, params: found.params, query, request, baseUrl, contents });
    } finally {
      await contents.settle(context);
    }
  });
}

/** Handles a request of a format's client: an error becomes a response of the format. */
export async function refusing(
  format: Pick<PackageFormat, 'refuse'>,
  request: RequestParts,
  services: Context,
  handle: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await handle();
  } catch (error) {
    const refusal = asPackageError(error);
    if (!refusal) throw error;
    const refuse = refusal instanceof NoRouteError ? plainRefusal : (format.refuse ?? plainRefusal);
    const response = refuse(refusal, request, services);
    if (request.method === 'GET' || request.method === 'HEAD' || (await discardBody(request.raw))) return response;
    const { status, headers, body, raw } = response;
    return new HttpResponse(body, { ...(status !== undefined && { status }), headers: { ...headers, connection: 'close' }, raw });
  }
}

/** The message of a refusal in plain text, with its headers. */
export function plainRefusal({ message, status, headers }: PackageError): HttpResponse {
  return new HttpResponse(message, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, raw: true });
}

function asPackageError(error: unknown): PackageError | undefined {
  if (error instanceof PackageError) return error;
  if (error instanceof BlobTooLargeError) return new PackageError('type-size');
  if (error instanceof BusyError) {
    return new PackageError('invalid', { status: 503, message: error.message, headers: { 'retry-after': String(error.retryAfter) } });
  }
  if (!(error instanceof HttpError) || error.status >= 500) return undefined;
  return new PackageError('invalid', { status: error.status, message: error.message, headers: { ...error.headers } });
}

/** @throws MovedError for a former name */
async function findOwner(context: Context, name: string, request: RequestParts): Promise<User> {
  // Most publish under their own name.
  if (context.actor && context.actor.id > 0 && context.actor.lower_name === name.toLowerCase()) return context.actor;
  const owner = await findUser(context.db, name);
  if (owner) return owner;
  const renamed = await findRenamedUser(context.db, name);
  if (!renamed || !(await isUserVisible(context.db, renamed, context.actor)))
    throw new PackageError('missing', { message: 'Not found.\n' });
  const [path = '', ...query] = (request.raw.url ?? '').split('?');
  const segments = path.split('/');
  const at = segments.findIndex((segment) => decoded(segment).toLowerCase() === name.toLowerCase());
  const { pathname } = new URL(segments.with(at, encodeURIComponent(renamed.name)).join('/'), context.settings.server.rootUrl);
  // The path as routes have it, for pip and NuGet end theirs with a slash; the query as the client wrote it, with the quotes of NuGet.
  throw new MovedError([pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, ''), ...query].join('?'), 307);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The route of a request; undefined if there is none, in which case only readers get the real error.
 * @throws NoRouteError 404 or 405
 */
function findRow(
  { format: { mount = MOUNT }, rows, group }: Table,
  request: RequestParts,
): { row: Row; params: Record<string, string> } | undefined {
  const target = /^https?:\/\/[^/?#]*(.*)$/is.exec(request.raw.url ?? '')?.[1] ?? request.raw.url ?? '';
  const path = readPath(target.split('?', 1)[0] ?? '');
  const depth = mount.split('/').length;
  const rest = path === undefined ? undefined : `/${path.split('/').slice(depth).join('/')}`;
  const matched = (row: Row) => {
    const params = rest === undefined ? undefined : matchPath(row.pattern, rest);
    return params && { row, params };
  };
  // Only the routes of the method first: there is mostly one.
  const found = firstOf(rows, ({ method }) => method === request.method, matched);
  const read = found ?? (request.method === 'HEAD' ? firstOf(rows, ({ head }) => head === true, matched) : undefined);
  if (read) return read;
  if (rest !== undefined && group && matchPath(group, rest)) return undefined;
  const matching = rows.filter((row) => matched(row));
  if (matching.length === 0) throw new NoRouteError('missing', { message: NOT_FOUND });
  const allowed = METHODS.filter((method) => matching.some((row) => row.method === method || (method === 'HEAD' && row.head))).join(', ');
  throw new NoRouteError('missing', { status: 405, message: '', headers: { allow: allowed } });
}

function firstOf<R, T>(rows: readonly R[], isWanted: (row: R) => boolean, read: (row: R) => T | undefined): T | undefined {
  for (const row of rows) {
    const found = isWanted(row) ? read(row) : undefined;
    if (found) return found;
  }
  return undefined;
}
