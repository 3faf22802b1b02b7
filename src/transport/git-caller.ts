import type { IncomingMessage } from 'node:http';
import { checkScope, refuseBarred, refuseWithoutSecondFactor } from '../access/authenticate.ts';
import { isPublicRepository, type Repository } from '../access/find-repository.ts';
import { signIn } from '../accounts/sign-in/sign-in.ts';
import { WrongSecondFactor } from '../accounts/two-factor/check.ts';
import { anonymousContext, type Context, type Services } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import type { RequestParts } from '../http/route.ts';
import { noteCaller } from '../http/server/caller-of.ts';
import { GitRefusal } from './refusal.ts';

const NEEDS_TOKEN =
  'Users with two-factor authentication enabled cannot perform HTTP/HTTPS operations via plain username and password. ' +
  'Please create and use a personal access token on the user settings page';

/**
 * Authenticates the caller by the same chain as the API; errors are in git's form.
 * @throws GitRefusal 401, 403 or 429
 */
export async function gitCaller(services: Services, request: RequestParts): Promise<Context> {
  const { headers, id, ip, raw, url } = request;
  const credentials = { headers, ip, peer: peerOf(raw), search: new URL(url).searchParams, requestId: id };
  try {
    const caller = await signIn(services, credentials);
    if (caller.actor) {
      refuseBarredCaller(services, caller.actor, caller.signIn.token !== null);
      await refuseWithoutSecondFactor(services, caller.actor);
    }
    noteCaller(raw, caller.actor);
    return { ...anonymousContext(services, id, ip), actor: caller.actor, signIn: caller.signIn };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw inGitsWords(services, error);
  }
}

/** Asks for credentials, as git expects it. */
export function challenge({ settings }: Pick<Services, 'settings'>): Record<string, string> {
  // Git Credential Manager detects services of this kind by the realm, and then signs in by OAuth2.
  return { 'www-authenticate': settings.oauth2.enabled ? 'Basic realm="Gitea"' : 'Basic realm="Gitea (Basic Auth)"' };
}

/**
 * Whether the caller's token may be used for this: the one check of scopes, in git's words.
 * @throws GitRefusal 403
 */
export function checkGitToken({ signIn }: Context, repository: Repository | undefined, level: 'read' | 'write'): void {
  const forbidden = new GitRefusal(403, 'Forbidden\n');
  try {
    checkScope(signIn.token, ['repository'], level);
  } catch (error) {
    if (error instanceof HttpError) throw forbidden;
    throw error;
  }
  const isPublic = repository === undefined || isPublicRepository(repository);
  if (signIn.token?.publicOnly && !isPublic) throw forbidden;
}

function refuseBarredCaller(services: Services, actor: NonNullable<Context['actor']>, byToken: boolean): void {
  try {
    refuseBarred(services, actor);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (actor.is_active && !actor.prohibit_login) throw new GitRefusal(403, error.message);
    // The right password of a barred account gets the same response as a wrong one.
    throw byToken ? new GitRefusal(403, 'Your account is disabled.') : notAuthenticated(services);
  }
}

function inGitsWords(services: Services, error: HttpError): GitRefusal {
  if (error.status === 429) return new GitRefusal(429, `${error.message}\n`, { ...error.headers });
  if (error.status !== 401) return new GitRefusal(error.status, `${error.message}\n`);
  return error instanceof WrongSecondFactor ? new GitRefusal(401, NEEDS_TOKEN, challenge(services)) : notAuthenticated(services);
}

function notAuthenticated(services: Services): GitRefusal {
  return new GitRefusal(401, 'Failed to authenticate user\n', challenge(services));
}

function peerOf(raw: IncomingMessage): string {
  return raw.socket.remoteAddress ?? '';
}
