import { InvalidScopeError, includes, normalizeScope, parseScope, type Scope, storedScope } from '../../access/scopes.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { AccessToken, User } from '../../database/tables/accounts.ts';
import { badRequest, forbidden, notFound } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { hashToken, newTokenValue } from './token-values.ts';

/** How many access tokens one user may have. */
const MAX_TOKENS = 1000;

/**
 * Creates an access token for a user; its value is never shown again. A token cannot create one with more rights than its own.
 * @throws HttpError 400 for a name that another of the user's tokens has, for invalid scopes, and for too many tokens;
 * 403 for a scope beyond that of the caller's token
 */
export async function createToken(
  context: Context,
  user: User,
  options: { name: string; scopes: readonly string[] },
): Promise<{ token: AccessToken; value: string }> {
  const taken = () => badRequest('access token name has been used already');
  return inTransaction(context, async ({ db }) => {
    const same = await db
      .selectFrom('access_tokens')
      .select('id')
      .where('user_id', '=', user.id)
      .where('name', '=', options.name)
      .executeTakeFirst();
    if (same) throw taken();
    const { total } = await db
      .selectFrom('access_tokens')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    if (Number(total) >= MAX_TOKENS) throw badRequest(`a user has at most ${MAX_TOKENS} access tokens`);
    const scope = readScope(context, options.scopes);
    const value = newTokenValue();
    const time = now();
    const token = await db
      .insertInto('access_tokens')
      .values({
        user_id: user.id,
        name: options.name,
        token_hash: hashToken(value),
        token_last_eight: value.slice(-8),
        scope,
        created_at: time,
        updated_at: time,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!token) throw taken();
    return { token, value };
  });
}

function readScope(context: Context, scopes: readonly string[]): string {
  try {
    const scope = parseScope(scopes.join(','));
    if (normalizeScope(scope) === '') throw badRequest('access token must have a scope');
    return normalizeScope(withinCaller(context, scope));
  } catch (error) {
    if (error instanceof InvalidScopeError) throw badRequest(`invalid access token scope provided: ${error.message}`);
    throw error;
  }
}

/** The scope limited by the caller's: a token with `public-only` can only create such tokens. */
function withinCaller({ signIn }: Context, scope: Scope): Scope {
  // An OAuth2 token lasts an hour or so, and the user can end an application's grant.
  if (signIn.method === 'oauth2') throw forbidden('an OAuth2 token cannot create an access token');
  if (!signIn.token) return scope;
  const own = storedScope(signIn.token.scope);
  if (!includes(own, scope)) throw forbidden('cannot create an access token with a broader scope than the authenticating token');
  return { levels: scope.levels, publicOnly: scope.publicOnly || own.publicOnly };
}

/** The tokens of a user, newest first; within a second in the order of creation. */
export async function listTokens({ db }: Context, user: User, page: Page): Promise<{ tokens: AccessToken[]; total: number }> {
  const ofUser = db.selectFrom('access_tokens').where('user_id', '=', user.id);
  const { total } = await ofUser.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const tokens = await ofUser.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { tokens, total: Number(total) };
}

/**
 * Removes a token of the user by its id, or else by its name.
 * @throws HttpError 404
 */
export async function deleteToken({ db }: Context, user: User, idOrName: string): Promise<void> {
  const ofUser = db.deleteFrom('access_tokens').where('user_id', '=', user.id);
  const id = /^\d{1,15}$/.test(idOrName) ? Number(idOrName) : 0;
  if (id > 0 && (await ofUser.where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n) return;
  const byName = await ofUser.where('name', '=', idOrName).executeTakeFirst();
  if (byName.numDeletedRows === 0n) throw notFound();
}

/** Removes the token of the user that has this value, as those do who end their session; returns whether there was one. */
export async function revokeToken({ db }: Context, user: User, value: string): Promise<boolean> {
  const ofUser = db.deleteFrom('access_tokens').where('user_id', '=', user.id);
  return (await ofUser.where('token_hash', '=', hashToken(value)).executeTakeFirst()).numDeletedRows > 0n;
}
