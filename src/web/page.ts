import { hasSecondFactor } from '../access/second-factor.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { type FormFields, NO_FIELDS, queryFields, readFields } from '../http/bodies/fields.ts';
import { HttpError } from '../http/errors.ts';
import { empty, HttpResponse } from '../http/responses.ts';
import { type AnyRoute, type Loader, type RequestParts, type Requirement, route } from '../http/route.ts';
import { noteCaller } from '../http/server/caller-of.ts';
import type { Settings } from '../settings.ts';
import { compressed } from './compression.ts';
import type { Document } from './document.ts';
import { documentResponse } from './document-response.ts';
import { failurePage } from './failure.ts';
import { type Html, html } from './html.ts';
import { type View, viewOf } from './view.ts';
import { formToken, isOwnForm, type Visitor, visitorOf } from './visitor.ts';

/** The request of a page. */
export interface Visit {
  readonly visitor: Visitor;
  readonly view: View;
  /** The hidden field that every form of the page needs. */
  readonly token: Html;
  /** Of the URL, or of the form that was sent. */
  readonly fields: FormFields;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: RequestParts;
}

/** The same, for signed-in users. */
export interface SignedInVisit extends Visit {
  readonly user: User;
}

export type Reply = Document | HttpResponse;
type Handler<V> = (visit: V, context: Context) => Promise<Reply>;

/** A page: the content at its path, and the action of its form. */
export interface Page<V> {
  /** From the root. */
  path: string;
  get?: Handler<V>;
  /** Its form; forms of other sites are refused before. */
  post?: Handler<V>;
  when?: (settings: Settings) => boolean;
  /** The semaphore that limits a request that can take long. */
  semaphore?: 'renders' | 'searches' | 'uploads';
  /** Size limit of its form, in bytes; by default enough for small forms. */
  maxBytes?: (settings: Settings) => number;
  /** The handler of the form reads the body itself, as for files. `fields` is empty then. */
  readsBody?: boolean;
}

/** A page for everybody. */
export function openPage({ get, post, ...page }: Page<Visit>): AnyRoute[] {
  return [...(get ? [pageRoute('GET', page, get)] : []), ...(post ? [pageRoute('POST', page, post)] : [])];
}

/** A page for signed-in users; others are redirected to the sign-in page, and users with a pending step to that step. */
export function userPage({ get, post, ...page }: Page<SignedInVisit> & { beforeDuties?: boolean }): AnyRoute[] {
  const guarded = (handler: Handler<SignedInVisit>): Handler<Visit> => {
    return async (visit, context) => {
      const { user } = visit.visitor;
      if (!user) return toSignIn(context, visit.request);
      const duty = page.beforeDuties ? undefined : await dutyOf(context, user);
      return duty === undefined ? handler({ ...visit, user }, { ...context, actor: user }) : seeOther(context, duty);
    };
  };
  return openPage({ ...page, ...(get && { get: guarded(get) }), ...(post && { post: guarded(post) }) });
}

/** The additions of a page about a resource: the requirements of the corresponding API route. */
export interface ResourcePage<V> extends Page<V> {
  readonly needs?: readonly Requirement[];
  /** Further requirements of the form. */
  readonly postNeeds?: readonly Requirement[];
  /** Serves requests that are not of people, before anything is looked up. */
  readonly before?: (visit: Visit, context: Context) => Promise<HttpResponse | undefined>;
  /** The page for a signed-in user if the path names nothing that they may see. */
  readonly otherwise?: (visit: Visit, context: Context) => Promise<Reply | undefined>;
}

/**
 * Makes the function that declares pages about a path's resources. Access is decided as in the API: by the loader and the requirements.
 * Readers who must sign in are redirected to do so.
 */
export function pageLoading<L>(loads: Loader<L>): (page: ResourcePage<Visit & L>) => AnyRoute[] {
  return ({ get, post, needs = [], postNeeds = [], before, otherwise, ...page }) => {
    const guarded = (handler: Handler<Visit & L>, all: readonly Requirement[]): Handler<Visit> => {
      return async (visit, context) => {
        const early = await before?.(visit, context);
        if (early) return early;
        const led = await ledElsewhere(visit, context);
        if (led) return led;
        const found = await loadOr(loads, visit, context, visit.visitor.user ? otherwise : undefined);
        if (found.reply) return found.reply;
        const loaded = { params: visit.params, ...found.loaded };
        context.act?.found(loaded);
        for (const need of all) await need.check(loaded, context);
        return handler({ ...visit, ...loaded }, context);
      };
    };
    return openPage({
      ...page,
      ...(get && { get: guarded(get, needs) }),
      ...(post && { post: guarded(post, [...needs, ...postNeeds]) }),
    });
  };
}

/** The redirect for a visitor who must sign in, or who has a pending step. */
async function ledElsewhere({ visitor: { user }, request }: Visit, context: Context): Promise<HttpResponse | undefined> {
  if (!user) return context.settings.access.requireSignInView ? toSignIn(context, request) : undefined;
  const duty = await dutyOf(context, user);
  return duty === undefined ? undefined : seeOther(context, duty);
}

/** The resource in the path, or the page to show if it is missing. */
async function loadOr<L>(loads: Loader<L>, visit: Visit, context: Context, otherwise: ResourcePage<Visit & L>['otherwise']) {
  try {
    return { loaded: await loads(visit.params, context, new URL(visit.request.url)), reply: undefined };
  } catch (error) {
    const isMissing = error instanceof HttpError && error.status === 404;
    const reply = isMissing ? await otherwise?.(visit, context) : undefined;
    if (!reply) throw error;
    return { reply };
  }
}

function pageRoute(method: 'GET' | 'POST', page: Omit<Page<Visit>, 'get' | 'post'>, handler: Handler<Visit>): AnyRoute {
  const { path, when, semaphore } = page;
  return route({
    method,
    path: `/${path}`,
    id: `page ${method} ${path}`,
    summary: 'Serves a page',
    hidden: true,
    open: true,
    ...(when && { when }),
    ...(semaphore && { semaphore }),
    ...(method === 'POST' && { body: 'stream' as const }),
    responses: {},
    handle: async ({ request, ...input }, context) => {
      const visitor = await visitorOf(context, request);
      const fields = method === 'GET' ? queryFields(request.url) : await formFields(page, request, context);
      context.act?.read(Object.fromEntries(fields));
      if (visitor.user) context.act?.by(visitor.user);
      noteCaller(request.raw, visitor.user);
      const token = html`<input type="hidden" name="_token" value="${formToken(context, visitor)}">`;
      const { pathname, search } = new URL(request.url);
      const acceptLanguage = request.headers['accept-language'];
      const here = frontPath(context, pathname) + search;
      const view = viewOf(context.settings, { user: visitor.user, acceptLanguage, token, here });
      const visit = { visitor, view, token, fields, params: input.params as Readonly<Record<string, string>>, request };
      const isOwn = method === 'GET' || isOwnForm(context, visitor, request, fields.get('_token') ?? '');
      const response = isOwn
        ? await responseOf(handler, visit, signedIn(context, visitor))
        : await documentResponse(context, staleForm(view), view);
      return withCookie(await compressed(response, request.headers['accept-encoding']), visitor.cookie);
    },
  });
}

async function formFields({ maxBytes, readsBody }: Pick<Page<Visit>, 'maxBytes' | 'readsBody'>, request: RequestParts, context: Context) {
  return readsBody ? NO_FIELDS : await readFields(request.raw, maxBytes?.(context.settings));
}

function staleForm({ text: { common } }: View): Document {
  return { title: common.staleForm, status: 403, body: html`<p>${common.staleFormReason}</p>` };
}

function signedIn(context: Context, { user }: Visitor): Context {
  return { ...context, actor: user, signIn: { method: user ? 'session' : 'anonymous', basic: false, token: null } };
}

/** Errors of rules are shown as a page. */
async function responseOf(handler: Handler<Visit>, visit: Visit, context: Context): Promise<HttpResponse> {
  const { view } = visit;
  try {
    const reply = await handler(visit, context);
    return reply instanceof HttpResponse ? reply : await documentResponse(context, reply, view);
  } catch (error) {
    if (isSignInMissing(error, visit)) return toSignIn(context, visit.request);
    const page = failurePage(view, error, context, visit.request);
    if (page) return documentResponse(context, page, view);
    throw error;
  }
}

function isSignInMissing(error: unknown, { visitor }: Visit): boolean {
  return !visitor.user && typeof error === 'object' && error !== null && 'status' in error && error.status === 401;
}

function withCookie(response: HttpResponse, cookie: string | undefined): HttpResponse {
  if (cookie === undefined || 'set-cookie' in response.headers) return response;
  const { body, status, headers, raw } = response;
  return new HttpResponse(body, { headers: { ...headers, 'set-cookie': cookie }, raw, ...(status !== undefined && { status }) });
}

/** A path of the instance that begins after the root URL, such as `user/login`. */
export function pagePath({ settings }: Context, path: string): string {
  return new URL(settings.server.rootUrl).pathname + path;
}

/** Leads the browser on, with a GET. @param path as {@link pagePath} has it */
export function seeOther(context: Context, path: string, headers: Record<string, string> = {}): HttpResponse {
  return empty(303, { location: pagePath(context, path), 'cache-control': 'no-store', ...headers });
}

/** A path of a request as browsers see it: a proxy in front may have taken the folder of the root URL off. */
function frontPath(context: Context, pathname: string): string {
  const front = pagePath(context, '');
  return pathname.startsWith(front) ? pathname : front + pathname.slice(1);
}

/** Redirects to the sign-in page, and back again afterwards if possible. */
export function toSignIn(context: Context, { method, url }: RequestParts): HttpResponse {
  const { pathname, search } = new URL(url);
  const target = frontPath(context, pathname) + search;
  return seeOther(context, method === 'GET' ? `user/login?${new URLSearchParams({ redirect_to: target })}` : 'user/login');
}

/** The page with an action that the user must take before anything else. */
export async function dutyOf(context: Context, user: User): Promise<string | undefined> {
  if (user.must_change_password) return 'user/change_password';
  const lacks = context.settings.access.requireTwoFactor && !(await hasSecondFactor(context.db, user.id));
  return lacks ? 'user/settings/security/two_factor/enroll' : undefined;
}

/** A sentence about a completed action. */
export function notice(text: Html | string): Html {
  return html`<p class="notice" role="status">${text}</p>`;
}
