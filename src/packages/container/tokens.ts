import { findUser } from '../../access/find-user.ts';
import type { Caller } from '../../access/provided.ts';
import { readBearer, signIn } from '../../accounts/sign-in/sign-in.ts';
import type { Services } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { RequestParts } from '../../http/route.ts';
import { requireUsed } from '../protocol/caller.ts';
import { useToken } from '../protocol/exchanged-tokens.ts';
import type { SignInRequest } from '../protocol/format.ts';
import { bearerChallenge, ContainerError } from './errors.ts';

/** The purpose of the registry's tokens (distribution specification, "Token Authentication"). */
export const TOKEN_PURPOSE = 'container registry token';

/**
 * Signs in for the registry: by one of its tokens, or by name and password as in the API.
 * @throws ContainerError 401 for a caller who is neither signed in nor has an anonymous token
 */
export async function signInToRegistry({ services, request }: SignInRequest): Promise<Caller> {
  const token = readBearer(request.headers.authorization);
  const caller = token === undefined ? await signInAsInApi(services, request) : await useToken(services, token, TOKEN_PURPOSE);
  const isNobody = caller?.actor === null && caller.signIn.method === 'anonymous';
  if (caller && (!isNobody || (token !== undefined && !services.settings.access.requireSignInView))) return caller;
  throw await challenge(services, request);
}

/**
 * Signs in for a new token: anonymous callers get one too, unless everybody has to sign in. A token cannot be exchanged for another one.
 * @throws ContainerError 401
 */
export async function signInForToken({ services, request }: SignInRequest): Promise<Caller> {
  const hasToken = readBearer(request.headers.authorization) !== undefined;
  const caller = hasToken ? undefined : await signInAsInApi(services, request);
  if (caller && (caller.actor || !services.settings.access.requireSignInView)) return caller;
  throw await challenge(services, request);
}

/** 401 with the ways to sign in: a token, and for what strangers do not see also name and password directly. */
export async function challenge(services: Services, { url }: Pick<RequestParts, 'url'>): Promise<ContainerError> {
  const [, , name = ''] = new URL(url).pathname.split('/');
  const owner = await findUser(services.database.db, name);
  const needsSignIn = (owner && owner.visibility !== 'public') || services.settings.access.requireSignInView;
  const challenges = [bearerChallenge(services), ...(needsSignIn ? ['Basic realm="Gitea Container Registry"'] : [])];
  return new ContainerError('UNAUTHORIZED', { headers: { 'www-authenticate': challenges.join(', ') } });
}

async function signInAsInApi(services: Services, { headers, ip, raw, url }: RequestParts): Promise<Caller | undefined> {
  try {
    const credentials = { headers, ip, peer: raw.socket.remoteAddress ?? '', search: new URL(url).searchParams };
    return requireUsed(headers, await signIn(services, credentials));
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return undefined;
    throw error;
  }
}
