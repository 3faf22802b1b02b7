import { findUserById } from '../../access/find-user.ts';
import type { Caller } from '../../access/provided.ts';
import { readBasic, signInWithToken } from '../../accounts/sign-in/sign-in.ts';
import { cachePerServer } from '../../caches/recently-used.ts';
import { now } from '../../clock.ts';
import type { Context, Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { RequestParts } from '../../http/route.ts';
import { SecretsError } from '../../secrets.ts';

/**
 * Tokens that clients get for their credentials. A token is encrypted, names how its holder has signed in, and is valid as long as
 * that is: not when the password has changed, or the access token has been deleted.
 */
type Claims = { readonly expires: number } & (
  | { readonly by: 'nobody' }
  /** `mark` changes with the password. */
  | { readonly by: 'password'; readonly user: number; readonly mark: string }
  | { readonly by: 'token'; readonly token: string }
);

/** Size limit of the claims that a process keeps, in bytes. */
const MAX_BYTES = 256 * 1024;
const claimsIn = cachePerServer<Claims>(MAX_BYTES);

/** Seconds. */
export const TOKEN_LIFETIME = 24 * 60 * 60;

/**
 * A token for the caller who has signed in by this request, or for an anonymous one.
 * @param purpose the only use of the token
 */
export function makeToken({ secrets, signIn, actor }: Context, { headers }: RequestParts, purpose: string): string {
  const expires = now() + TOKEN_LIFETIME;
  const claims: Claims = !actor
    ? { by: 'nobody', expires }
    : signIn.token || signIn.job
      ? { by: 'token', token: tokenIn(headers.authorization), expires }
      : { by: 'password', user: actor.id, mark: markOf({ secrets }, actor, purpose), expires };
  return secrets.encrypt(JSON.stringify(claims), purpose);
}

/** The holder of this token; undefined if it is invalid, or for another purpose. */
export async function useToken(services: Services, token: string, purpose: string): Promise<Caller | undefined> {
  const claims = readClaims(services, token, purpose);
  if (!claims || claims.expires <= now()) return undefined;
  if (claims.by === 'nobody') return { actor: null, signIn: { method: 'anonymous', basic: false, token: null } };
  if (claims.by === 'token') return await signInWithToken(services, claims.token, true);
  const user = await findUserById(services.database.db, claims.user);
  if (!user || markOf(services, user, purpose) !== claims.mark) return undefined;
  return { actor: user, signIn: { method: 'password', basic: true, token: null } };
}

/** What a token claims. It is decrypted for its first request alone, which takes a fifth of what serving a manifest does. */
function readClaims(services: Services, token: string, purpose: string): Claims | undefined {
  const { secrets } = services;
  const known = claimsIn(services);
  const name = `${purpose} ${token}`;
  try {
    const cached = known.get(name);
    if (cached) return cached;
    const claims = JSON.parse(secrets.decrypt(token, purpose).toString('utf8')) as Claims;
    known.set(name, claims, 4 * name.length);
    return claims;
  } catch (error) {
    if (error instanceof SecretsError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The access token that was sent as the password, or as the name alone. */
function tokenIn(authorization: string | undefined): string {
  const { name = '', password = '' } = readBasic(authorization) ?? {};
  return password === '' || password === 'x-oauth-basic' ? name : password;
}

function markOf({ secrets }: Pick<Services, 'secrets'>, user: User, purpose: string): string {
  return secrets.sign(`${purpose} password`, String(user.id), user.password_hash);
}
