import { type SqlBool, sql } from 'kysely';
import { checkScope } from '../../access/authenticate.ts';
import { visibleUsers } from '../../access/user-visibility.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { packageCaller } from '../protocol/caller.ts';
import { makeToken, TOKEN_LIFETIME } from '../protocol/exchanged-tokens.ts';
import type { PackageFormat } from '../protocol/format.ts';
import { refusing } from '../protocol/routes.ts';
import { API_VERSION, bearerChallenge, ContainerError, json, refuseContainer } from './errors.ts';
import { signInForToken, signInToRegistry, TOKEN_PURPOSE } from './tokens.ts';

const MAX_CATALOG = 100;

/** The routes of the registry without an owner. */
export const containerInstanceRoutes: readonly AnyRoute[] = [
  instanceRoute('GET', '//v2', signInToRegistry, async () => empty(200, API_VERSION)),
  instanceRoute('GET', '//v2/token', signInForToken, giveToken),
  // OAuth2 of the distribution specification is optional: clients that get 404 continue with GET.
  instanceRoute(
    'POST',
    '//v2/token',
    async () => ({ actor: null, signIn: { method: 'anonymous', basic: false, token: null } }),
    async () => empty(404),
  ),
  { ...instanceRoute('GET', '//v2/_catalog', signInToRegistry, listImages), semaphore: 'searches' },
];

function instanceRoute(
  method: 'GET' | 'POST',
  path: string,
  signIn: NonNullable<PackageFormat['signIn']>,
  handle: (context: Context, request: RequestParts) => Promise<HttpResponse>,
): AnyRoute {
  const format = { signIn, refuse: refuseContainer };
  return route({
    method,
    path,
    id: `packages ${method} ${path}`,
    summary: 'Serves the container registry',
    hidden: true,
    // The registry authenticates here itself.
    open: true,
    when: ({ packages }) => packages.enabled,
    ...(method === 'POST' && { body: 'stream' as const }),
    responses: { 200: null },
    handle: ({ request }, services) =>
      refusing(format, request, services, async () => {
        const context = await packageCaller(services, request, format);
        return await handle(context, request);
      }),
  });
}

async function giveToken(context: Context, request: RequestParts): Promise<HttpResponse> {
  checkReading(context);
  return json({ token: makeToken(context, request, TOKEN_PURPOSE), expires_in: TOKEN_LIFETIME });
}

/** @throws ContainerError 401, so that the client asks for other credentials */
function checkReading(context: Context): void {
  try {
    checkScope(context.signIn.token, ['package'], 'read');
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new ContainerError('UNAUTHORIZED', { headers: { 'www-authenticate': bearerChallenge(context) } });
  }
}

/** The images that the caller sees, by name; a token limited to public resources only sees public ones. */
async function listImages(context: Context, { url }: RequestParts): Promise<HttpResponse> {
  checkReading(context);
  const { db, actor, signIn } = context;
  const { searchParams: query } = new URL(url);
  const wanted = Number(query.get('n') ?? '');
  const limit = Number.isInteger(wanted) && wanted > 0 && wanted <= MAX_CATALOG ? wanted : MAX_CATALOG;
  const last = query.get('last')?.trim().toLowerCase() ?? '';
  const name = sql<string>`users.lower_name || '/' || packages.lower_name`;
  const rows = await db
    .selectFrom('packages')
    .innerJoin('users', 'users.id', 'packages.owner_id')
    .select(name.as('name'))
    .where('packages.type', '=', 'container')
    .where('packages.is_internal', '=', false)
    .where((where) => visibleUsers(signIn.token?.publicOnly ? null : actor)(where as never))
    .where(sql<SqlBool>`${name} > ${last}`)
    .where((where) =>
      where.exists(
        where
          .selectFrom('package_versions')
          .select('package_versions.id')
          .whereRef('package_versions.package_id', '=', 'packages.id')
          .where('package_versions.is_internal', '=', false),
      ),
    )
    .orderBy('name')
    .limit(limit)
    .execute();
  const repositories = rows.map((row) => row.name);
  const next = new URLSearchParams({ last: repositories.at(-1) ?? '', n: String(limit) });
  return json({ repositories }, { headers: repositories.length === limit ? { link: `</v2/_catalog?${next}>; rel="next"` } : {} });
}
