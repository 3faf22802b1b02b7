import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import { isUniqueViolation } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import { unprocessable } from '../http/errors.ts';
import { nameTaken } from './create.ts';
import { checkAccountName } from './names.ts';

/**
 * Renames a user or an organization. The old name redirects to the new one until somebody else takes it;
 * a change of case only leaves no redirect.
 * @throws HttpError 422 for a name that is not allowed or taken, and for a concurrent renaming
 */
export async function renameAccount(context: Context, user: User, name: string): Promise<void> {
  if (name === user.name) return;
  checkAccountName(context.settings, name);
  const renamed = inTransaction(context, async (context) => {
    const { db } = context;
    const lowerName = name.toLowerCase();
    await lockName(context, user);
    if (lowerName !== user.lower_name) {
      const same = await db.selectFrom('users').select('id').where('lower_name', '=', lowerName).executeTakeFirst();
      if (same) throw nameTaken(name);
      await db.deleteFrom('user_redirects').where('lower_name', 'in', [lowerName, user.lower_name]).execute();
      await db.insertInto('user_redirects').values({ lower_name: user.lower_name, user_id: user.id }).execute();
    }
    await db.updateTable('users').set({ name, lower_name: lowerName, updated_at: now() }).where('id', '=', user.id).execute();
    await context.events.emit(context, 'user.renamed', { userId: user.id, oldName: user.name });
  });
  await renamed.catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken(name) : error;
  });
}

/** Serializes renamings of an account. @throws HttpError 422 when the account has another name meanwhile */
async function lockName({ db }: Context, { id, lower_name }: User): Promise<void> {
  const locked = await db
    .updateTable('users')
    .set({ updated_at: now() })
    .where('id', '=', id)
    .where('lower_name', '=', lower_name)
    .executeTakeFirst();
  if (locked.numUpdatedRows === 0n) throw unprocessable('the account was renamed at the same moment');
}
