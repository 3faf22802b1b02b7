import { now } from '../../clock.ts';
import type { Context, Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';

/** The claims of a token. */
export interface TokenClaims {
  kind: 'access' | 'refresh';
  familyId: number;
  /** The number of the refresh token in its family. */
  counter: number;
}

/** The types that distinguish the two kinds of tokens (RFC 9068 names the first). */
const TYPES = { access: 'at+jwt', refresh: 'rt+jwt' } as const;

/** An access or refresh token. Only this instance reads them, so they are signed with its secret key. */
export async function signToken({ secrets, settings }: Services, { kind, familyId, counter }: TokenClaims): Promise<string> {
  const { SignJWT } = await import('jose');
  const lifetime = kind === 'access' ? settings.oauth2.accessTokenLifetime : settings.oauth2.refreshTokenLifetime;
  const time = now();
  return new SignJWT({ fam: familyId, cnt: counter })
    .setProtectedHeader({ alg: 'HS256', typ: TYPES[kind] })
    .setIssuedAt(time)
    .setExpirationTime(time + Math.max(1, Math.floor(lifetime / 1000)))
    .sign(secrets.hmac('oauth2 tokens'));
}

/** The claims of a valid token of this kind; undefined for an invalid one, or one of the other kind. */
export async function readToken(
  { secrets, settings }: Services,
  kind: TokenClaims['kind'],
  token: string,
): Promise<TokenClaims | undefined> {
  if (token.length > settings.oauth2.maxTokenLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const { jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, secrets.hmac('oauth2 tokens'), { algorithms: ['HS256'], typ: TYPES[kind] });
    const { fam, cnt } = payload;
    return Number.isSafeInteger(fam) && Number.isSafeInteger(cnt) ? { kind, familyId: fam as number, counter: cnt as number } : undefined;
  } catch {
    return undefined;
  }
}

/** The user and the scope of a valid access token whose grant has not ended. */
export async function useAccessToken(
  services: Services,
  token: string,
): Promise<{ user: User; scope: string; application: string } | undefined> {
  if (!services.settings.oauth2.enabled) return undefined;
  const claims = await readToken(services, 'access', token);
  if (!claims) return undefined;
  const row = await services.database.db
    .selectFrom('oauth2_token_families')
    .innerJoin('oauth2_grants', 'oauth2_grants.id', 'oauth2_token_families.grant_id')
    .innerJoin('oauth2_applications', 'oauth2_applications.id', 'oauth2_grants.application_id')
    .innerJoin('users', 'users.id', 'oauth2_grants.user_id')
    .selectAll('users')
    .select(['oauth2_token_families.scope as granted_scope', 'oauth2_applications.name as application_name'])
    .where('oauth2_token_families.id', '=', claims.familyId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { granted_scope: scope, application_name: application, ...user } = row;
  return { user, scope, application };
}

/** The application, user and scope of a valid token of either kind, for introspection. */
export async function describeToken(context: Context, token: string) {
  const claims = (await readToken(context, 'access', token)) ?? (await readToken(context, 'refresh', token));
  if (!claims) return undefined;
  const row = await context.db
    .selectFrom('oauth2_token_families')
    .innerJoin('oauth2_grants', 'oauth2_grants.id', 'oauth2_token_families.grant_id')
    .innerJoin('oauth2_applications', 'oauth2_applications.id', 'oauth2_grants.application_id')
    .innerJoin('users', 'users.id', 'oauth2_grants.user_id')
    .select([
      'oauth2_token_families.scope',
      'oauth2_token_families.counter',
      'oauth2_applications.client_id',
      'oauth2_applications.user_id as owner_id',
      'users.id as user_id',
      'users.name as user_name',
    ])
    .where('oauth2_token_families.id', '=', claims.familyId)
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false)
    .executeTakeFirst();
  return row && (claims.kind === 'access' || claims.counter === row.counter) ? row : undefined;
}
