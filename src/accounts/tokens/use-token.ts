import type { Services } from '../../context.ts';
import type { AccessToken, User } from '../../database/tables/accounts.ts';
import { now } from '../../http/schema.ts';
import { hashToken } from './token-values.ts';

/** How exactly the last use of a token is kept, in seconds: not every request writes. */
const LAST_USED_STEP = 60;
const TOKEN = /^[0-9a-f]{40}$/;

/** The token with this value and whose it is; its last use is noted. */
export async function useToken(services: Services, value: string): Promise<{ token: AccessToken; user: User } | undefined> {
  if (!TOKEN.test(value)) return undefined;
  const { db } = services.database;
  const token = await db.selectFrom('access_tokens').selectAll().where('token_hash', '=', hashToken(value)).executeTakeFirst();
  if (!token) return undefined;
  const user = await db.selectFrom('users').selectAll().where('id', '=', token.user_id).executeTakeFirst();
  if (!user) return undefined;
  const time = now();
  if (time - token.last_used_at >= LAST_USED_STEP) {
    await db.updateTable('access_tokens').set({ last_used_at: time, updated_at: time }).where('id', '=', token.id).execute();
  }
  return { token, user };
}
