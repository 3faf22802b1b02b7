import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { OAuth2Application, OAuth2Grant } from '../../database/tables/oauth2.ts';
import { notFound } from '../../http/errors.ts';
import { hashRandomValue, newRandomValue } from './client-secrets.ts';

/** Lifetime of an authorization code in seconds (RFC 6749, section 4.1.2, recommends at most ten minutes). */
const CODE_LIFETIME = 600;

/** The data of an authorization code. */
export interface Authorization {
  scope: string;
  redirectUri: string;
  challenge: string;
  challengeMethod: string;
  nonce: string;
}

/** The user's grant to the application, if any. */
export function findGrant(db: Db, application: OAuth2Application, user: User): Promise<OAuth2Grant | undefined> {
  return db
    .selectFrom('oauth2_grants')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('application_id', '=', application.id)
    .executeTakeFirst();
}

/** Grants the application this scope, whatever it was before, and returns a code for it. */
export function grant(context: Context, application: OAuth2Application, user: User, authorization: Authorization): Promise<string> {
  return inTransaction(context, async (context) => {
    const time = now();
    const { id } = await context.db
      .insertInto('oauth2_grants')
      .values({ user_id: user.id, application_id: application.id, scope: authorization.scope, created_at: time, updated_at: time })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'application_id']).doUpdateSet({ scope: authorization.scope, updated_at: time }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    return createCode(context, id, authorization);
  });
}

/** A new code for a grant; only its hash is stored. */
async function createCode({ db }: Context, grantId: number, authorization: Authorization): Promise<string> {
  const code = `gta_${newRandomValue()}`;
  const { scope, redirectUri, challenge, challengeMethod, nonce } = authorization;
  await db
    .deleteFrom('oauth2_codes')
    .where('expires_at', '<', now() - CODE_LIFETIME)
    .execute();
  await db
    .insertInto('oauth2_codes')
    .values({
      code_hash: hashRandomValue(code),
      grant_id: grantId,
      scope,
      redirect_uri: redirectUri,
      challenge,
      challenge_method: challengeMethod,
      nonce,
      expires_at: now() + CODE_LIFETIME,
    })
    .execute();
  return code;
}

/** An application with a user's grant, and its date. */
export interface GrantedApplication {
  id: number;
  application_id: number;
  name: string;
  scope: string;
  created_at: number;
}

/** The user's grants to applications, oldest first. */
export function listGrants(db: Db, user: User): Promise<GrantedApplication[]> {
  return db
    .selectFrom('oauth2_grants')
    .innerJoin('oauth2_applications', 'oauth2_applications.id', 'oauth2_grants.application_id')
    .select([
      'oauth2_grants.id',
      'oauth2_grants.application_id',
      'oauth2_applications.name',
      'oauth2_grants.scope',
      'oauth2_grants.created_at',
    ])
    .where('oauth2_grants.user_id', '=', user.id)
    .orderBy('oauth2_grants.id')
    .execute();
}

/**
 * Revokes a user's grant to an application: its codes and tokens become invalid.
 * @throws HttpError 404 when the user has no such grant
 */
export async function endGrant(context: Context, user: User, id: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const ended = await db.deleteFrom('oauth2_grants').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
    if (ended.numDeletedRows === 0n) throw notFound();
  });
}
