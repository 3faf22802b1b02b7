import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Credentials } from '../../access/provided.ts';
import { grantOfScope } from '../../access/scopes.ts';
import type { Services } from '../../context.ts';
import { readCookie } from '../../http/cookies.ts';
import { unauthorized } from '../../http/errors.ts';
import { accessScopeOf } from '../oauth2/grant-scopes.ts';
import { useAccessToken } from '../oauth2/tokens.ts';
import { useSession } from '../sessions/sessions.ts';
import { isTokenLike, useToken } from '../tokens/use-token.ts';
import { actionsUser } from '../users/ghost.ts';
import { noteFailedSignIn } from './failed.ts';
import { signInBySignature } from './http-signature.ts';
import { signInWithPassword } from './password.ts';
import { warnOfQueryToken } from './query-tokens.ts';
import { REFUSED } from './refused.ts';
import { signInByProxy } from './reverse-proxy.ts';

/** One sign-in method: returns undefined when the request does not use it, throws when the sign-in fails. */
export type SignInMethod = (services: Services, credentials: Credentials) => Promise<Caller | undefined>;

const ANONYMOUS: Caller = { actor: null, signIn: { method: 'anonymous', basic: false, token: null } };

/**
 * The chain of sign-in methods: the first method that recognizes the request decides.
 * @throws HttpError 401 when that method does not accept it
 */
export async function signIn(services: Services, credentials: Credentials): Promise<Caller> {
  try {
    for (const method of METHODS) {
      const caller = await method(services, credentials);
      if (caller) return caller;
    }
    return ANONYMOUS;
  } catch (error) {
    await noteFailedSignIn(services, error, attemptOf(credentials));
    throw error;
  }
}

function attemptOf({ headers, ip, requestId }: Credentials) {
  const basic = readBasic(headers.authorization);
  const method = basic ? 'password' : headers.signature && !headers.authorization ? 'signature' : 'token';
  const userAgent = headers['user-agent'] ?? '';
  return { method, name: basic?.name ?? '', address: ip, userAgent, requestId: requestId ?? '' } as const;
}

/** `Authorization: token …` or `Bearer …`: an access token, the user's own or of OAuth2. */
const withTokenHeader: SignInMethod = async (services, { headers }) => {
  const value = readBearer(headers.authorization);
  if (value === undefined) return undefined;
  const caller = await signInWithToken(services, value, false);
  if (!caller) throw unauthorized(REFUSED);
  return caller;
};

/** `?token=` and `?access_token=`: only for instances that still need it. */
const withTokenQuery: SignInMethod = async (services, { search }) => {
  const value = search.get('token') || search.get('access_token');
  if (!value) return undefined;
  if (!services.settings.access.queryTokens) {
    warnOfQueryToken(services);
    return undefined;
  }
  const caller = await signInWithToken(services, value, false);
  if (!caller) throw unauthorized(REFUSED);
  return caller;
};

/** Basic authorization: a password, or a token in either place. */
const withBasicHeader: SignInMethod = async (services, credentials) => {
  const basic = readBasic(credentials.headers.authorization);
  if (!basic) return undefined;
  const { name, password } = basic;
  const token = password === '' || password === 'x-oauth-basic' ? name : password;
  if (name === '' && token === '') return undefined;
  const byToken = await signInWithToken(services, token, true);
  if (byToken) return byToken;
  if (!services.settings.access.basicAuthentication) return undefined;
  const actor = await signInWithPassword(services, { name, password, ip: credentials.ip, oneTimeCode: oneTimeCode(credentials.headers) });
  return { actor, signIn: { method: 'password', basic: true, token: null } };
};

/** A reverse proxy in front authenticates the user, if that is enabled. */
const withProxyHeader: SignInMethod = async (services, credentials) => {
  if (!services.settings.reverseProxy.apiEnabled) return undefined;
  const actor = await signInByProxy(services, credentials);
  return actor && { actor, signIn: { method: 'proxy', basic: false, token: null } };
};

/** The request is signed with an SSH key. */
const withSignature: SignInMethod = async (services, { signed, headers }) => {
  const signer = signed && (await signInBySignature(services, { ...signed, headers }));
  return (
    signer && {
      actor: signer.user,
      signIn: { method: 'signature', basic: false, token: signer.scope === null ? null : grantOfScope(signer.scope) },
    }
  );
};

/** A signed-in browser. If its user may not sign in any more, the caller is anonymous. */
const withCookie: SignInMethod = async (services, { cookies, headers }) => {
  const token = cookies ? readCookie(headers.cookie, services.settings.access.sessionCookie) : undefined;
  const actor = token === undefined ? undefined : (await useSession(services, token))?.user;
  return actor?.is_active && !actor.prohibit_login ? { actor, signIn: { method: 'session', basic: false, token: null } } : undefined;
};

const METHODS: readonly SignInMethod[] = [withTokenQuery, withTokenHeader, withSignature, withBasicHeader, withProxyHeader, withCookie];

/** The value of an authorization header with a token (RFC 6750); undefined for anything else. */
export function readBearer(header: string | undefined): string | undefined {
  const [scheme, value, ...more] = (header ?? '').trim().split(/\s+/);
  return scheme && value && more.length === 0 && /^(token|bearer)$/i.test(scheme) ? value : undefined;
}

/** The caller with this token, if it is valid. OAuth2's have dots in them, the users' own have none. */
export async function signInWithToken(services: Services, value: string, basic: boolean): Promise<Caller | undefined> {
  if (value.includes('.')) {
    const granted = await useAccessToken(services, value);
    if (!granted) return undefined;
    const scope = accessScopeOf(granted.scope);
    return { actor: granted.user, signIn: { method: 'oauth2', basic, token: grantOfScope(scope), credential: granted.application } };
  }
  const used = await useToken(services, value);
  if (!used) return await signInAsJob(services, value, basic);
  return { actor: used.user, signIn: { method: 'token', basic, token: grantOfScope(used.scope), credential: used.name } };
}

/** The token of a job of automation: the job acts as the account of automation. */
async function signInAsJob(services: Services, value: string, basic: boolean): Promise<Caller | undefined> {
  if (!isTokenLike(value)) return undefined;
  const job = await services.provided.jobOfToken(services, value);
  return job && { actor: actionsUser, signIn: { method: 'token', basic, token: null, job } };
}

/** The name and password of a basic authorization header (RFC 7617); undefined for anything else. */
export function readBasic(header: string | undefined): { name: string; password: string } | undefined {
  const match = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '');
  if (!match?.[1]) return undefined;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  // RFC 7617, section 2: neither part has control characters.
  return colon < 0 || text.includes('\0') ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function oneTimeCode(headers: IncomingHttpHeaders): string {
  const value = headers['x-service-otp'] ?? headers['x-gitea-otp'] ?? '';
  return Array.isArray(value) ? (value[0] ?? '') : value;
}
