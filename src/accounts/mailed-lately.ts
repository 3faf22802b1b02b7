import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { databaseClock } from '../database/clock.ts';

const BETWEEN_MAILS_MS = 60_000;

/**
 * Whether a user or an e-mail address was mailed within the last minute, by any process; if not, it now counts as mailed. So nobody can
 * fill somebody else's mailbox by repeated requests. The table is that of the sign-in counters, which deletes expired ones.
 */
export async function isMailedLately({ db, database }: Context, whom: string): Promise<boolean> {
  const key = createHash('sha256')
    .update(JSON.stringify(['mailed', whom]))
    .digest('base64url');
  const time = databaseClock(database.dialect);
  const expires = sql<number>`${time} + ${sql.lit(BETWEEN_MAILS_MS)}`;
  const noted = await db
    .insertInto('sign_in_counters')
    .values({ key, count: 1, expires_at: expires })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at: expires }).where('sign_in_counters.expires_at', '<=', time))
    .returning('key')
    .executeTakeFirst();
  return noted === undefined;
}
