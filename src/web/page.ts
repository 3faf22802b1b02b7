import { hasTwoFactor } from '../accounts/two-factor/check.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { HttpError } from '../http/errors.ts';
import { type Fields, readFields } from '../http/fields.ts';
import { empty, HttpResponse } from '../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../http/route.ts';
import type { Settings } from '../settings.ts';
import { type Document, documentResponse } from './document.ts';
import { type Html, html } from './html.ts';
import { formToken, isOwnForm, type Visitor, visitorOf } from './visitor.ts';

/** The request of a page. */
export interface Visit {
  readonly visitor: Visitor;
  /** The hidden field that every form of the page needs. */
  readonly token: Html;
  /** Of the address, or of the form that was sent. */
  readonly fields: Fields;
  readonly request: RequestParts;
}

/** The same, where somebody is signed in. */
export interface SignedInVisit extends Visit {
  readonly user: User;
}

type Reply = Document | HttpResponse;
type Handler<V> = (visit: V, context: Context) => Promise<Reply>;

interface Page<V> {
  /** From the root. */
  path: string;
  get?: Handler<V>;
  /** Its form; one that another site made never gets here. */
  post?: Handler<V>;
  when?: (settings: Settings) => boolean;
}

/** A page for everybody. */
export function openPage({ path, when, get, post }: Page<Visit>): AnyRoute[] {
  const made: AnyRoute[] = [];
  if (get) made.push(pageRoute('GET', path, get, when));
  if (post) made.push(pageRoute('POST', path, post, when));
  return made;
}

/** A page for who is signed in; others are led to the sign-in page first, and who has to do something before, there. */
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

function pageRoute(method: 'GET' | 'POST', path: string, handler: Handler<Visit>, when?: (settings: Settings) => boolean): AnyRoute {
  return route({
    method,
    path: `/${path}`,
    id: `page ${method} ${path}`,
    summary: 'Serves a page',
    hidden: true,
    open: true,
    ...(when && { when }),
    ...(method === 'POST' && { body: 'stream' as const }),
    responses: {},
    handle: async ({ request }, context) => {
      const visitor = await visitorOf(context, request);
      const fields = method === 'POST' ? await readFields(request.raw) : new Map([...new URL(request.url).searchParams].reverse());
      const isOwn = method === 'GET' || isOwnForm(context, visitor, request, fields.get('_token') ?? '');
      const token = html`<input type="hidden" name="_token" value="${formToken(context, visitor)}">`;
      const reply = isOwn ? await replyOf(handler, { visitor, token, fields, request }, signedIn(context, visitor)) : STALE_FORM;
      return withCookie(reply instanceof HttpResponse ? reply : documentResponse(context, reply), visitor.cookie);
    },
  });
}

const STALE_FORM: Document = {
  title: 'This form is not good any more',
  status: 403,
  body: html`<p>Go back, load the page anew and try again. Cookies have to be allowed.</p>`,
};

function signedIn(context: Context, { user }: Visitor): Context {
  return { ...context, actor: user, signIn: { method: user ? 'session' : 'anonymous', basic: false, token: null } };
}

/** What a rule refuses is shown as a page. */
async function replyOf(handler: Handler<Visit>, visit: Visit, context: Context): Promise<Reply> {
  try {
    return await handler(visit, context);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { title: 'That did not work', status: error.status, headers: { ...error.headers }, body: fault(error.message) };
  }
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

/** To the sign-in page, and back again afterwards where that is possible. */
export function toSignIn(context: Context, { method, url }: RequestParts): HttpResponse {
  const { pathname, search } = new URL(url);
  // A proxy in front may have taken the folder of the root URL off.
  const front = pagePath(context, '');
  const asSeen = pathname.startsWith(front) ? pathname : front + pathname.slice(1);
  return seeOther(context, method === 'GET' ? `user/login?${new URLSearchParams({ redirect_to: asSeen + search })}` : 'user/login');
}

/** The page on which the user has to do something before anything else. */
export async function dutyOf(context: Context, user: User): Promise<string | undefined> {
  if (user.must_change_password) return 'user/change_password';
  const lacks = context.settings.access.requireTwoFactor && !(await hasTwoFactor(context, user));
  return lacks ? 'user/settings/security/two_factor/enroll' : undefined;
}

/** A sentence on what went wrong. */
export function fault(text: string): Html {
  return html`<p class="fault" role="alert">${text}</p>`;
}

/** A sentence on what was done. */
export function notice(text: string): Html {
  return html`<p class="notice" role="status">${text}</p>`;
}
