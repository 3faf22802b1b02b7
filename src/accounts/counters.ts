import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { databaseClock } from '../database/clock.ts';
import type { Db } from '../database/database.ts';

/** When counters expire. */
export interface Expiry {
  /** The current time in milliseconds, as an SQL expression. */
  readonly time: RawBuilder<number>;
  /** Milliseconds from then. */
  readonly lifetime: number;
  /** Whether each addition restarts the lifetime; otherwise only the first one counts. */
  readonly isRenewed: boolean;
}

/**
 * Adds one to each counter, in the order of their keys, so that two concurrent requests do not deadlock. Returns
 * the new values.
 */
export async function addToCounters(db: Db, keys: readonly string[], { time, lifetime, isRenewed }: Expiry): Promise<Map<string, number>> {
  const expires = sql<number>`${time} + ${sql.lit(lifetime)}`;
  const isExpired = sql`sign_in_counters.expires_at <= ${time}`;
  const rows = await db
    .insertInto('sign_in_counters')
    .values([...keys].sort().map((key) => ({ key, count: 1, expires_at: expires })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${isExpired} then 1 else sign_in_counters.count + 1 end`,
        expires_at: isRenewed ? expires : sql<number>`case when ${isExpired} then ${expires} else sign_in_counters.expires_at end`,
      }),
    )
    .returning(['key', 'count'])
    .execute();
  return new Map(rows.map(({ key, count }) => [key, Number(count)]));
}

/**
 * Counts something, in windows of so many milliseconds that begin with the first; returns the count in this window. The table is
 * that of the sign-in counters, which deletes expired ones.
 */
export async function countInWindow({ db, database }: Context, name: readonly string[], windowMs: number): Promise<number> {
  const key = createHash('sha256').update(JSON.stringify(name)).digest('base64url');
  const counts = await addToCounters(db, [key], { time: databaseClock(database.dialect), lifetime: windowMs, isRenewed: false });
  return counts.get(key) ?? 0;
}
