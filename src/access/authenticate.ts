import type { IncomingHttpHeaders } from 'node:http';
import { anonymousContext, type Context, type Services } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { forbidden, forbiddenBare, notFound } from '../http/errors.ts';
import type { ScopeCategory } from '../http/route.ts';
import { findUser } from './find-user.ts';
import type { Caller } from './provided.ts';
import { grants, storedScope } from './scopes.ts';
import { hasSecondFactor } from './second-factor.ts';

/** The parts of a request that identify its caller. */
export interface AuthenticationRequest {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly peer: string;
  readonly search: URLSearchParams;
  /** The method, and the path with the query as the client wrote them. */
  readonly signed: { readonly method: string; readonly target: string };
  /** Whether a session cookie counts. */
  readonly cookies: boolean;
  readonly requestId: string;
}

/**
 * Authenticates a request: sign-in, the account's state, sudo.
 * @throws HttpError 401, 403 or 404
 */
export async function authenticate(services: Services, request: AuthenticationRequest): Promise<Context> {
  const caller = await services.provided.signIn(services, request);
  if (caller.actor) {
    refuseBarred(services, caller.actor);
    await refuseWithoutSecondFactor(services, caller.actor);
  } else if (services.settings.access.requireSignInView) throw forbiddenBare('Only signed in user is allowed to call APIs.');
  const actor = await actingUser(services, caller, request);
  const sudo = caller.actor && actor !== caller.actor ? { id: caller.actor.id, name: caller.actor.name } : undefined;
  const signIn = sudo ? { ...caller.signIn, sudo } : caller.signIn;
  return { ...anonymousContext(services, request.requestId, request.ip), actor, signIn };
}

/** Refuses accounts that must not sign in any more. */
export function refuseBarred({ settings }: Services, actor: User): void {
  if (!actor.is_active && settings.registration.confirmEmail) throw forbiddenBare('This account is not activated.');
  if (!actor.is_active || actor.prohibit_login) {
    throw forbiddenBare('This account is prohibited from signing in, please contact your site administrator.');
  }
  if (actor.must_change_password) {
    throw forbiddenBare(`You must change your password. Change it at: ${settings.server.rootUrl}user/change_password`);
  }
}

/** Refuses accounts without a second factor where the instance requires one. */
export async function refuseWithoutSecondFactor({ settings, database }: Services, actor: User): Promise<void> {
  // Automation has no second factor: its tokens live as long as a job.
  if (!settings.access.requireTwoFactor || actor.id < 0) return;
  if (!(await hasSecondFactor(database.db, actor.id)))
    throw forbiddenBare('This instance requires two-factor authentication, which this account has not set up.');
}

async function actingUser(services: Services, { actor }: Caller, { search, headers }: AuthenticationRequest): Promise<User | null> {
  const name = search.get('sudo') || headers.sudo?.toString() || '';
  if (name === '') return actor;
  if (!actor?.is_admin) throw forbiddenBare('Only administrators allowed to sudo.');
  const user = await findUser(services.database.db, name);
  if (user?.type !== 'individual') throw notFound();
  return user;
}

/**
 * Checks the token's scope against the route's categories: reading methods need the read level, others the write level. This is the only
 * check of scopes, whichever way a token is sent.
 * @throws HttpError 403
 */
export function checkScope(token: Context['signIn']['token'], categories: readonly ScopeCategory[], level: 'read' | 'write'): void {
  if (!token || categories.length === 0) return;
  if (grants(storedScope(token.scope), level, categories)) return;
  const required = categories.map((category) => `${level}:${category}`).join(' ');
  throw forbidden(`token does not have at least one of required scope(s), required=[${required}], token scope=${token.scope}`);
}

/** The scope level that a method needs. */
export function levelOf(method: string): 'read' | 'write' {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write';
}
