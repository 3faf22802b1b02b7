import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { tellSignIns } from './sessions/sessions.ts';

/** Sets a new password, which signs out all browsers of the user. Returns the user as it is then. */
export async function setPassword(context: Context, user: User, password: string): Promise<User> {
  const password_hash = await context.passwords.hash(password);
  const values = { password_hash, must_change_password: false, updated_at: now() };
  return inTransaction(context, async (context) => {
    tellSignIns(context, user);
    return context.db.updateTable('users').set(values).where('id', '=', user.id).returningAll().executeTakeFirstOrThrow();
  });
}
