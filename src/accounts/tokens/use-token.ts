import { now } from '../../clock.ts';
import type { Services } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import { upgradeImportedToken } from './imported-tokens.ts';
import { hashToken } from './token-values.ts';

/** The precision of the last use of a token, in seconds: not every request writes. */
const LAST_USED_STEP = 60;
const TOKEN = /^[0-9a-f]{40}$/;

/** Whether a text has the form of a token. */
export function isTokenLike(value: string): boolean {
  return TOKEN.test(value);
}

const byHash = prepared(
  (db, hash: string) =>
    db
      .selectFrom('access_tokens')
      .innerJoin('users', 'users.id', 'access_tokens.user_id')
      .selectAll('users')
      .select([
        'access_tokens.id as token_id',
        'access_tokens.name as token_name',
        'access_tokens.scope as token_scope',
        'access_tokens.last_used_at as token_used_at',
      ])
      .where('token_hash', '=', hash),
  { isCached: true },
);

/**
 * The user and the scope of a token, in one query; records its last use.
 * @throws BusyError when there are imported tokens and too many values are being checked
 */
export async function useToken(services: Services, value: string): Promise<{ user: User; scope: string; name: string } | undefined> {
  if (!isTokenLike(value)) return undefined;
  const { db } = services.database;
  const hash = hashToken(value);
  let [row] = await byHash(db, hash);
  if (!row && (await upgradeImportedToken(db, value))) [row] = await byHash(db, hash);
  if (!row) return undefined;
  const { token_id, token_name: name, token_scope: scope, token_used_at, ...user } = row;
  const time = now();
  if (time - token_used_at >= LAST_USED_STEP) {
    await db.updateTable('access_tokens').set({ last_used_at: time, updated_at: time }).where('id', '=', token_id).execute();
  }
  return { user, scope, name };
}
