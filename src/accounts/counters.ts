import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { databaseClock } from '../database/clock.ts';

/**
 * Counts something, in windows of so many milliseconds that begin with the first; returns how many there were in this one. The counters
 * are those of sign-ins, which remove expired ones.
 */
export async function countInWindow({ db, database }: Context, name: readonly string[], windowMs: number): Promise<number> {
  const key = createHash('sha256').update(JSON.stringify(name)).digest('base64url');
  const time = databaseClock(database.dialect);
  const expires = sql<number>`${time} + ${sql.lit(windowMs)}`;
  const { count } = await db
    .insertInto('sign_in_counters')
    .values({ key, count: 1, expires_at: expires })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when sign_in_counters.expires_at <= ${time} then 1 else sign_in_counters.count + 1 end`,
        expires_at: sql<number>`case when sign_in_counters.expires_at <= ${time} then ${expires} else sign_in_counters.expires_at end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return Number(count);
}
