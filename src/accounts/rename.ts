import { type Context, inTransaction } from '../context.ts';
import { isUniqueViolation } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import { unprocessable } from '../http/errors.ts';
import { now } from '../http/schema.ts';
import { checkAccountName } from './names.ts';

/**
 * Gives a user or an organization another name; the former one leads to it until somebody else takes that.
 * @throws HttpError 422 for a name that is not allowed or taken
 */
export async function renameAccount(context: Context, account: User, newName: string): Promise<void> {
  if (newName === account.name) return;
  checkAccountName(context.settings, newName);
  const lowerName = newName.toLowerCase();
  const taken = () => unprocessable(`user already exists [name: ${newName}]`);
  await inTransaction(context, async (context) => {
    const { db } = context;
    const other = await db
      .selectFrom('users')
      .select('id')
      .where('lower_name', '=', lowerName)
      .where('id', '!=', account.id)
      .executeTakeFirst();
    if (other) throw taken();
    await db.deleteFrom('user_redirects').where('lower_name', '=', lowerName).execute();
    await db
      .updateTable('users')
      .set({ name: newName, lower_name: lowerName, updated_at: now() })
      .where('id', '=', account.id)
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? taken() : error;
      });
    if (lowerName !== account.lower_name) {
      await db
        .insertInto('user_redirects')
        .values({ lower_name: account.lower_name, user_id: account.id })
        .onConflict((conflict) => conflict.column('lower_name').doUpdateSet({ user_id: account.id }))
        .execute();
    }
    await context.events.emit(context, 'user.renamed', { userId: account.id, oldName: account.name });
  });
}
