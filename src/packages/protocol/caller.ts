import type { IncomingHttpHeaders } from 'node:http';
import { checkScope, refuseBarred, refuseWithoutSecondFactor } from '../../access/authenticate.ts';
import type { Caller } from '../../access/provided.ts';
import { signIn } from '../../accounts/sign-in/sign-in.ts';
import { anonymousContext, type Context, type Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError, unauthorized } from '../../http/errors.ts';
import type { RequestParts } from '../../http/route.ts';
import { noteCaller } from '../../http/server/caller-of.ts';
import { PackageError } from '../errors.ts';
import { packageAccess, publishAccess } from './access.ts';
import type { FormatRoute, PackageFormat } from './format.ts';

/** The challenge for package managers without credentials. */
export const BASIC_CHALLENGE = { 'www-authenticate': 'Basic realm="Gitea Package API"' };
const FAILED = 'Failed to authenticate user\n';

/**
 * Signs the caller in: by the format's own method, or by those of the API.
 * @throws PackageError 401, 403 or 429
 */
export async function packageCaller(services: Services, request: RequestParts, format: Pick<PackageFormat, 'signIn'>): Promise<Context> {
  const { headers, id, ip, raw, url } = request;
  const credentials = { headers, ip, peer: raw.socket.remoteAddress ?? '', search: new URL(url).searchParams, requestId: id };
  try {
    const caller = (await format.signIn?.({ services, request })) ?? requireUsed(headers, await signIn(services, credentials));
    await refuseBarredCaller(services, caller);
    noteCaller(raw, caller.actor);
    return { ...anonymousContext(services, id, ip), actor: caller.actor, signIn: caller.signIn };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 401) throw new PackageError('unauthorized', { message: FAILED });
    throw new PackageError('forbidden', { status: error.status, message: error.message, headers: { ...error.headers } });
  }
}

/**
 * Refuses credentials that no sign-in method recognizes, such as an empty name and password: then package managers prompt for others;
 * otherwise the caller would be an anonymous one without rights.
 * @throws HttpError 401
 */
export function requireUsed({ authorization }: IncomingHttpHeaders, caller: Caller): Caller {
  if (authorization && !caller.actor) throw unauthorized('the credentials are not recognized');
  return caller;
}

/**
 * Checks the caller's access to an owner's packages, and the scope of the token.
 * @returns the level of access
 * @throws PackageError 401, even if signing in does not help: clients prompt for other credentials then; 403
 */
export async function checkPackageAccess(context: Context, owner: User, needed: FormatRoute['access']) {
  const access = await (needed === 'publish' ? publishAccess : packageAccess)(context, owner);
  if (needed === 'none') return access;
  const { token } = context.signIn;
  if (token && !hasScope(token, 'read')) throw new PackageError('unauthorized', { headers: BASIC_CHALLENGE });
  if (token?.publicOnly && owner.visibility === 'private') {
    throw new PackageError('forbidden', { message: 'token scope is limited to public packages' });
  }
  const isInScope = needed === 'read' || !token || hasScope(token, 'write');
  if (!isInScope || access < (needed === 'read' ? 1 : 2)) throw new PackageError('unauthorized', { headers: BASIC_CHALLENGE });
  return access;
}

function hasScope(token: NonNullable<Context['signIn']['token']>, level: 'read' | 'write'): boolean {
  try {
    checkScope(token, ['package'], level);
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

async function refuseBarredCaller(services: Services, { actor, signIn: { token } }: Caller): Promise<void> {
  if (!actor) return;
  try {
    refuseBarred(services, actor);
  } catch (error) {
    // The right password of a barred account gets the same response as a wrong one.
    if (error instanceof HttpError && !token && (!actor.is_active || actor.prohibit_login)) throw new HttpError(401, error.message);
    throw error;
  }
  await refuseWithoutSecondFactor(services, actor);
}
