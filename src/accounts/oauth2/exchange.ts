import { createHash, timingSafeEqual } from 'node:crypto';
import { findUserById } from '../../access/find-user.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';
import type { Fields } from '../../http/bodies/fields.ts';
import { findApplication } from './applications.ts';
import { signIdentityToken } from './claims.ts';
import { hashRandomValue, isClientSecret } from './client-secrets.ts';
import { grantsWord } from './grant-scopes.ts';
import { acceptsRedirect } from './redirect-uris.ts';
import { readToken, signToken } from './tokens.ts';

/** An error of the token endpoint (RFC 6749, section 5.2). */
export class TokenError extends Error {
  readonly code: string;
  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/** The response of the token endpoint (RFC 6749, section 5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: 'bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  id_token?: string;
}

/** A family of tokens, and its user. */
interface Family {
  id: number;
  counter: number;
  scope: string;
  nonce: string;
  user_id: number;
}

/**
 * Exchanges an authorization code, or a refresh token, for tokens.
 * @throws TokenError
 */
export async function exchange(context: Context, fields: Fields): Promise<TokenResponse> {
  switch (fields.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(context, fields);
    case 'refresh_token':
      return refresh(context, fields);
    default:
      throw new TokenError('unsupported_grant_type', 'Only refresh_token or authorization_code grant type is supported');
  }
}

async function authenticatedClient(
  context: Context,
  fields: Fields,
  refusal: { code: string; quoted: (id: string) => string },
): Promise<OAuth2Application> {
  const clientId = fields.get('client_id') ?? '';
  const secret = fields.get('client_secret') ?? '';
  const application = await findApplication(context.db, clientId);
  if (!application) throw new TokenError('invalid_client', `cannot load client with client id: ${refusal.quoted(clientId)}`);
  if (application.is_confidential && !(await isClientSecret(context, application, secret))) {
    throw new TokenError(refusal.code, secret === '' ? 'invalid empty client secret' : 'invalid client secret');
  }
  return application;
}

async function exchangeCode(context: Context, fields: Fields): Promise<TokenResponse> {
  const application = await authenticatedClient(context, fields, { code: 'unauthorized_client', quoted: (id) => `'${id}'` });
  const redirectUri = fields.get('redirect_uri') ?? '';
  if (redirectUri !== '' && !acceptsRedirect(application, redirectUri)) {
    throw new TokenError('unauthorized_client', 'unexpected redirect URI');
  }
  const hash = hashRandomValue(fields.get('code') ?? '');
  const code = await context.db
    .selectFrom('oauth2_codes')
    .innerJoin('oauth2_grants', 'oauth2_grants.id', 'oauth2_codes.grant_id')
    .selectAll('oauth2_codes')
    .select(['oauth2_grants.user_id', 'oauth2_grants.application_id'])
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  if (!code) throw new TokenError('unauthorized_client', 'client is not authorized');
  if (code.expires_at <= now()) throw new TokenError('invalid_grant', 'authorization code expired');
  if (!matchesChallenge(code.challenge, code.challenge_method, fields.get('code_verifier') ?? '')) {
    throw new TokenError('unauthorized_client', 'failed PKCE code challenge');
  }
  if (redirectUri !== code.redirect_uri) {
    throw new TokenError('invalid_grant', 'redirect_uri differs from the original authorization request');
  }
  if (code.application_id !== application.id) throw new TokenError('invalid_grant', 'invalid grant');
  const family = await inTransaction(context, async ({ db }): Promise<Family | undefined> => {
    const used = await db
      .updateTable('oauth2_codes')
      .set({ is_used: true })
      .where('code_hash', '=', hash)
      .where('is_used', '=', false)
      .executeTakeFirst();
    if (used.numUpdatedRows === 0n) return undefined;
    await db.deleteFrom('oauth2_token_families').where('expires_at', '<', now()).execute();
    const { id, counter } = await db
      .insertInto('oauth2_token_families')
      .values({ grant_id: code.grant_id, scope: code.scope, nonce: code.nonce, created_at: now(), expires_at: refreshEnd(context) })
      .returning(['id', 'counter'])
      .executeTakeFirstOrThrow();
    return { id, counter, scope: code.scope, nonce: code.nonce, user_id: code.user_id };
  });
  // The second use may be the client's or a thief's: all tokens of the code are revoked (RFC 6749, section 4.1.2).
  if (!family) return endReused(context, code.grant_id, 'invalid_grant', 'authorization code already used');
  return issueTokens(context, application, family);
}

/** PKCE (RFC 7636, section 4.6): a verifier exactly where there was a challenge. */
function matchesChallenge(challenge: string, method: string, verifier: string): boolean {
  if (challenge === '') return verifier === '';
  if (verifier.length < 43 || verifier.length > 128) return false;
  const computed = method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [given, expected] = [Buffer.from(computed), Buffer.from(challenge)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function refresh(context: Context, fields: Fields): Promise<TokenResponse> {
  const application = await authenticatedClient(context, fields, { code: 'invalid_client', quoted: (id) => JSON.stringify(id) });
  const claims = await readToken(context, 'refresh', fields.get('refresh_token') ?? '');
  if (!claims) throw new TokenError('unauthorized_client', 'unable to parse refresh token');
  const found = await context.db
    .selectFrom('oauth2_token_families')
    .innerJoin('oauth2_grants', 'oauth2_grants.id', 'oauth2_token_families.grant_id')
    .selectAll('oauth2_token_families')
    .select(['oauth2_grants.user_id', 'oauth2_grants.application_id'])
    .where('oauth2_token_families.id', '=', claims.familyId)
    .executeTakeFirst();
  if (!found) throw new TokenError('invalid_grant', 'grant does not exist');
  if (found.application_id !== application.id) throw new TokenError('invalid_grant', 'refresh token belongs to a different client');
  const counter = claims.counter + 1;
  const turned = await context.db
    .updateTable('oauth2_token_families')
    .set({ counter, expires_at: refreshEnd(context) })
    .where('id', '=', found.id)
    .where('counter', '=', claims.counter)
    .executeTakeFirst();
  if (turned.numUpdatedRows === 0n) return endReused(context, found.grant_id, 'unauthorized_client', 'token was already used');
  return issueTokens(context, application, { ...found, counter });
}

/** Reusing what is valid only once ends the whole grant (RFC 9700, section 4.14.2). */
async function endReused(context: Context, grantId: number, code: string, description: string): Promise<never> {
  context.log.warn({ grant: grantId }, 'an OAuth2 grant was ended: a code or refresh token was used twice');
  await context.db.deleteFrom('oauth2_grants').where('id', '=', grantId).execute();
  throw new TokenError(code, description);
}

function refreshEnd({ settings }: Context): number {
  return now() + Math.ceil(settings.oauth2.refreshTokenLifetime / 1000);
}

async function issueTokens(context: Context, application: OAuth2Application, family: Family): Promise<TokenResponse> {
  const user = await findUserById(context.db, family.user_id);
  if (!user?.is_active || user.prohibit_login) throw new TokenError('invalid_grant', 'the user may not sign in');
  const { id: familyId, counter, scope, nonce } = family;
  return {
    access_token: await signToken(context, { kind: 'access', familyId, counter }),
    token_type: 'bearer',
    expires_in: Math.max(1, Math.floor(context.settings.oauth2.accessTokenLifetime / 1000)),
    refresh_token: await signToken(context, { kind: 'refresh', familyId, counter }),
    ...(grantsWord(scope, 'openid') && {
      id_token: await signIdentityToken(context, { user, clientId: application.client_id, scope, nonce }),
    }),
  };
}
