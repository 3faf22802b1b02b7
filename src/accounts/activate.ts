import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';

/** Activates the account of an opened link; that confirms its primary e-mail address too. */
export async function activate(context: Context, user: User): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    await db.updateTable('users').set({ is_active: true, updated_at: now() }).where('id', '=', user.id).execute();
    await db
      .updateTable('email_addresses')
      .set({ is_activated: true })
      .where('user_id', '=', user.id)
      .where('is_primary', '=', true)
      .execute();
  });
}

/** Confirms an e-mail address of the user; false when the user does not have it any more. */
export async function confirmEmail(context: Context, user: User, email: string): Promise<boolean> {
  return await inTransaction(context, async ({ db }) => {
    const confirmed = await db
      .updateTable('email_addresses')
      .set({ is_activated: true })
      .where('user_id', '=', user.id)
      .where('lower_email', '=', email.toLowerCase())
      .executeTakeFirst();
    return confirmed.numUpdatedRows > 0n;
  });
}
