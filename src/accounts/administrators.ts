import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';

/** Why a user has to stay an administrator: there would be none left. Undefined when there would. */
export async function lastAdministrator(db: Db, user: User): Promise<string | undefined> {
  if (!user.is_admin) return undefined;
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('type', '=', 'individual')
    .where('id', '!=', user.id)
    .limit(1)
    .executeTakeFirst();
  return other ? undefined : `can not delete the last admin user [uid: ${user.id}]`;
}
