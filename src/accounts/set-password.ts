import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';

/** Gives the user a new password; all its browsers are signed out by that. Returns the user as it is then. */
export async function setPassword({ db, passwords }: Context, user: User, password: string): Promise<User> {
  const password_hash = await passwords.hash(password);
  return db
    .updateTable('users')
    .set({ password_hash, must_change_password: false, updated_at: now() })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
