import type { Db } from '../database/database.ts';

/** What an instance says that nobody has an account on. */
export const HOW_TO_BEGIN =
  'there is no account yet; make an administrator with: npm run copse -- admin user create --admin --username NAME --email ADDRESS';

/** Whether anybody has an account. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('type', '=', 'individual').limit(1).executeTakeFirst()) !== undefined;
}
