import { randomBytes, timingSafeEqual } from 'node:crypto';
import { newRandomValue } from '../accounts/oauth2/client-secrets.ts';
import { sessionSeconds, startSession, useSession } from '../accounts/sessions/sessions.ts';
import { signInByProxy } from '../accounts/sign-in/reverse-proxy.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Session } from '../database/tables/oauth2.ts';
import { readCookie, writeCookie } from '../http/cookies.ts';
import type { RequestParts } from '../http/route.ts';

const TOKEN = /^[\w-]{43}$/;

/** The visitor of a page. Everybody has a cookie: for a signed-in user it is the key of a session, else it only binds forms to the browser. */
export interface Visitor {
  readonly token: string;
  readonly user: User | null;
  readonly session: Session | null;
  /** The cookie to set, for a browser without one. */
  readonly cookie: string | undefined;
}

/** Recognizes a browser by its cookie, or by the header of a trusted proxy if that is enabled. */
export async function visitorOf(context: Context, { headers, ip, raw, url }: RequestParts): Promise<Visitor> {
  const { reverseProxy } = context.settings;
  const known = await visitorOfSession(context, headers);
  if (known) return known;
  const sent = sentToken(context, headers);
  const token = sent ?? newRandomValue();
  const cookie = sent === undefined ? sessionCookie(context, token) : undefined;
  const peer = raw.socket.remoteAddress ?? '';
  const byProxy = reverseProxy.enabled && (await signInByProxy(context, { headers, ip, peer, search: new URL(url).searchParams }));
  return { token, user: byProxy && maySignIn(byProxy) ? byProxy : null, session: null, cookie };
}

/** The visitor whose session the cookie of a browser is the key of. */
export async function visitorOfSession(context: Context, headers: RequestParts['headers']): Promise<Visitor | undefined> {
  const token = sentToken(context, headers);
  const known = token === undefined ? undefined : await useSession(context, token);
  return token !== undefined && known && maySignIn(known.user) ? { token, ...known, cookie: undefined } : undefined;
}

function sentToken({ settings }: Context, { cookie }: RequestParts['headers']): string | undefined {
  const sent = readCookie(cookie, settings.access.sessionCookie);
  return sent && TOKEN.test(sent) ? sent : undefined;
}

function maySignIn({ is_active, prohibit_login }: User): boolean {
  return is_active && !prohibit_login;
}

/** Signs the browser in under a new key, so that nobody can have known it before; returns the cookie to set. */
export async function signInBrowser(context: Context, { headers, ip }: RequestParts, user: User, remember: boolean): Promise<string> {
  const token = newRandomValue();
  await startSession(context, user, token, { ip, userAgent: headers['user-agent'] ?? '', remember });
  return sessionCookie(context, token, remember ? sessionSeconds(context, true) : undefined);
}

/** The cookie that removes the one of a session. */
export function removedCookie(context: Context): string {
  return sessionCookie(context, '', 0);
}

function sessionCookie({ settings }: Context, value: string, maxAge?: number): string {
  const { sessionCookie, secureCookies } = settings.access;
  return writeCookie(sessionCookie, value, { secure: secureCookies, path: new URL(settings.server.rootUrl).pathname, maxAge });
}

/**
 * The token against forged forms of other sites. It looks different on each page, so that its compressed length
 * reveals nothing about it (BREACH).
 */
export function formToken({ secrets }: Context, { token }: Visitor): string {
  const signature = secrets.hmac('form', token);
  const mask = randomBytes(signature.length);
  return Buffer.concat([mask, combined(mask, signature)]).toString('base64url');
}

function isFormToken({ secrets }: Context, { token }: Visitor, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url');
  const signature = secrets.hmac('form', token);
  if (bytes.length !== 2 * signature.length) return false;
  return timingSafeEqual(combined(bytes.subarray(0, signature.length), bytes.subarray(signature.length)), signature);
}

function combined(a: Uint8Array, b: Uint8Array): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}

/**
 * Whether a form was sent from a page of this instance: by the origin that browsers send, which no other site can choose, or by the token
 * of a page that this browser was shown.
 */
export function isOwnForm(context: Context, visitor: Visitor, { headers }: RequestParts, given: string): boolean {
  const site = headers['sec-fetch-site'];
  const fromHere = site === undefined || site === 'same-origin' || site === 'none';
  if (!fromHere) return false;
  if (headers.origin === new URL(context.settings.server.rootUrl).origin) return true;
  return visitor.cookie === undefined && isFormToken(context, visitor, given);
}
