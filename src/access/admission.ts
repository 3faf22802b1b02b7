import { anonymousContext, type Context, type Services } from '../context.ts';
import { forbidden } from '../http/errors.ts';
import { type AnyRoute, type Requirement, scopeOf } from '../http/route.ts';
import type { AdmissionRequest, Admit } from '../http/server/admission.ts';
import { authenticate, checkScope, levelOf } from './authenticate.ts';
import { refuseJob, refuseJobElsewhere } from './job-admission.ts';
import type { Loaded } from './load.ts';
import { refusePrivate } from './public-only.ts';

/**
 * The steps before a route's handler, in order: authentication, the token's scope, loading of the path's resources, the route's `needs`.
 * Requests are refused here and nowhere else.
 */
export function admissionOf(services: Services, route: AnyRoute): Admit {
  const [first, rest] = requirementsAround(route);
  const group = route.groupScope === undefined ? [] : [route.groupScope];
  const own = scopeOf(route);
  const categories = [...group, ...own];
  const level = levelOf(route.method);

  return async (request) => {
    const context = route.open
      ? anonymousContext(services, request.id, request.ip)
      : await authenticate(services, credentialsOf(route, request));
    const { token } = context.signIn;
    checkScope(token, group, level);
    checkScope(token, own, level);
    if (context.signIn.job) refuseJob(route);
    if (route.refusesPublicOnly && token?.publicOnly) throw forbidden('this endpoint is not available for public-only tokens');
    const input: Loaded = { params: request.params };
    for (const need of first) await need.check(input, context);
    if (token?.publicOnly && isOwnAccount(route)) refusePrivate(categories, ownAccount(context));
    if (route.loads) Object.assign(input, await route.loads(request.params, context, request.url));
    if (token?.publicOnly) refusePrivate(categories, input);
    await refuseJobElsewhere(route, context, input);
    for (const need of rest) await need.check(input, context);
    const { replica } = services;
    // The caller, their rights and the loaded resources came from the primary.
    if (!replica || level === 'write' || route.open) return { context, input };
    const reads = await replica.reads();
    return { context: { ...context, db: reads.db, reads }, input };
  };
}

function credentialsOf(route: AnyRoute, { headers, ip, peer, url, target, method, id }: AdmissionRequest) {
  return {
    headers,
    ip,
    peer,
    search: url.searchParams,
    signed: { method, target },
    // The API accepts no cookies: another site's form could send them.
    cookies: route.path.startsWith('//') && levelOf(route.method) === 'read',
    requestId: id,
  };
}

/**
 * Splits the requirements into those before and those after the loading of the path's resources: a caller who may not use a route about
 * accounts does not learn which accounts exist.
 */
function requirementsAround({ path, needs = [] }: AnyRoute): [readonly Requirement[], readonly Requirement[]] {
  const isAccounts = /^\/(?:admin|packages|users?)(?:\/|$)/.test(path);
  const after = isAccounts ? needs.findIndex(({ ofCaller }) => !ofCaller) : 0;
  return after < 0 ? [needs, []] : [needs.slice(0, after), needs.slice(after)];
}

/** Whether the route is about the signed-in account. */
function isOwnAccount({ path }: AnyRoute): boolean {
  return path === '/user' || path.startsWith('/user/');
}

/** The signed-in account, as if the path named it. */
function ownAccount({ actor }: Context) {
  return actor ? { user: actor } : {};
}
