import { findUser, findUserById } from '../../access/find-user.ts';
import type { Caller } from '../../access/provided.ts';
import { readBasic, readBearer, signIn, signInWithToken } from '../../accounts/sign-in/sign-in.ts';
import { now } from '../../clock.ts';
import type { Context, Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError } from '../../http/errors.ts';
import type { RequestParts } from '../../http/route.ts';
import { SecretsError } from '../../secrets.ts';
import type { SignInRequest } from '../protocol/format.ts';
import { bearerChallenge, ContainerError } from './errors.ts';

/**
 * Tokens of the registry (distribution specification, "Token Authentication"): a client exchanges its credentials for one. A token is
 * encrypted and names how its holder has signed in, and is valid as long as that is: not when the password has changed, or the access
 * token has been deleted.
 */
type Claims = { readonly expires: number } & (
  | { readonly by: 'nobody' }
  /** `mark` changes with the password. */
  | { readonly by: 'password'; readonly user: number; readonly mark: string }
  | { readonly by: 'token'; readonly token: string }
);

const PURPOSE = 'container registry token';
const PASSWORD_PURPOSE = 'container registry password';
/** Seconds. */
export const TOKEN_LIFETIME = 24 * 60 * 60;

/** A token for whoever has signed in by this request, or for nobody. */
export function makeToken({ secrets, signIn, actor }: Context, { headers }: RequestParts): string {
  const expires = now() + TOKEN_LIFETIME;
  const claims: Claims = !actor
    ? { by: 'nobody', expires }
    : signIn.token
      ? { by: 'token', token: tokenIn(headers.authorization), expires }
      : { by: 'password', user: actor.id, mark: markOf({ secrets }, actor), expires };
  return secrets.encrypt(JSON.stringify(claims), PURPOSE);
}

/**
 * Signs in for the registry: by one of its tokens, or by name and password as in the API.
 * @throws ContainerError 401 for a caller who has not signed in, not even as nobody
 */
export async function signInToRegistry({ services, request }: SignInRequest): Promise<Caller> {
  const token = readBearer(request.headers.authorization);
  const caller = token === undefined ? await signInAsInApi(services, request) : await useToken(services, token);
  const isNobody = caller?.actor === null && caller.signIn.method === 'anonymous';
  if (caller && (!isNobody || (token !== undefined && !services.settings.access.requireSignInView))) return caller;
  throw await challenge(services, request);
}

/**
 * Signs in where tokens are given out: nobody gets one too, except where everybody has to sign in. A token does not get another one.
 * @throws ContainerError 401
 */
export async function signInForToken({ services, request }: SignInRequest): Promise<Caller> {
  const hasToken = readBearer(request.headers.authorization) !== undefined;
  const caller = hasToken ? undefined : await signInAsInApi(services, request);
  if (caller && (caller.actor || !services.settings.access.requireSignInView)) return caller;
  throw await challenge(services, request);
}

/** 401 with what the client may sign in by: a token, and for what strangers do not see also name and password right away. */
export async function challenge(services: Services, { url }: Pick<RequestParts, 'url'>): Promise<ContainerError> {
  const [, , name = ''] = new URL(url).pathname.split('/');
  const owner = await findUser(services.database.db, name);
  const needsSignIn = (owner && owner.visibility !== 'public') || services.settings.access.requireSignInView;
  const challenges = [bearerChallenge(services), ...(needsSignIn ? ['Basic realm="Gitea Container Registry"'] : [])];
  return new ContainerError('UNAUTHORIZED', { headers: { 'www-authenticate': challenges.join(', ') } });
}

async function signInAsInApi(services: Services, { headers, ip, raw, url }: RequestParts): Promise<Caller | undefined> {
  try {
    return await signIn(services, { headers, ip, peer: raw.socket.remoteAddress ?? '', search: new URL(url).searchParams });
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return undefined;
    throw error;
  }
}

async function useToken(services: Services, token: string): Promise<Caller | undefined> {
  const claims = readClaims(services, token);
  if (!claims || claims.expires <= now()) return undefined;
  if (claims.by === 'nobody') return { actor: null, signIn: { method: 'anonymous', basic: false, token: null } };
  if (claims.by === 'token') return await signInWithToken(services, claims.token, true);
  const user = await findUserById(services.database.db, claims.user);
  if (!user || markOf(services, user) !== claims.mark) return undefined;
  return { actor: user, signIn: { method: 'password', basic: true, token: null } };
}

function readClaims({ secrets }: Services, token: string): Claims | undefined {
  try {
    return JSON.parse(secrets.decrypt(token, PURPOSE).toString('utf8')) as Claims;
  } catch (error) {
    if (error instanceof SecretsError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The access token that was sent in place of a password, or as the name alone. */
function tokenIn(authorization: string | undefined): string {
  const { name = '', password = '' } = readBasic(authorization) ?? {};
  return password === '' || password === 'x-oauth-basic' ? name : password;
}

function markOf({ secrets }: Pick<Services, 'secrets'>, user: User): string {
  return secrets.sign(PASSWORD_PURPOSE, String(user.id), user.password_hash);
}
