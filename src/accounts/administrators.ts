import { type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';

/**
 * Why a user has to stay an administrator: there would be none left. Undefined when there would. To be called in the transaction that
 * takes the rights away: it locks the administrators, so that two of them do not take them from each other.
 */
export async function lastAdministrator({ db, database }: Context, user: User): Promise<string | undefined> {
  if (!user.is_admin) return undefined;
  const administrators = await db
    .selectFrom('users')
    .select('id')
    // As the index of administrators has it. With a condition on the type SQLite would read all people by the index of that.
    .where(sql<SqlBool>`is_admin`)
    .orderBy('id')
    .$if(database.dialect === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  const isLast = administrators.length === 1 && administrators[0]?.id === user.id;
  return isLast ? `can not delete the last admin user [uid: ${user.id}]` : undefined;
}
