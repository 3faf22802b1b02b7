import { createHash } from 'node:crypto';
import { type SelectQueryBuilder, sql } from 'kysely';
import { type Context, inTransaction } from '../context.ts';
import { databaseClock } from '../database/clock.ts';
import type { Tables } from '../database/tables.ts';
import type { Mail } from './mail.ts';

const HOUR = 3_600_000;
/** Names the lock of the limit among all that a database has (pg_advisory_xact_lock). */
const LOCK = 1_205_001;

type Sent = SelectQueryBuilder<Tables, 'sent_mails', { sent_at: number }>;

/**
 * Counts a mail of the whole instance, unless `limit` mails were sent in the last hour. A tenth of the limit is reserved for mails about
 * accounts, such as password links, and one recipient gets a quarter at most: so nobody can prevent others from signing in by the mails
 * that they cause.
 * @returns how many seconds the mail has to wait if it may not be sent yet, 0 if it has been counted and may be sent
 */
export async function takeMail(
  context: Context,
  { to, isAccount = false }: Pick<Mail, 'to' | 'isAccount'>,
  limit: number,
): Promise<number> {
  const recipient = createHash('sha256').update(to.toLowerCase()).digest('hex');
  return inTransaction(context, async ({ db, database: { dialect } }) => {
    // Of two processes with a mail each, the second one counts that of the first. On SQLite transactions that write exclude each other.
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
    const { time } = await db.selectNoFrom(databaseClock(dialect).as('time')).executeTakeFirstOrThrow();
    await db
      .deleteFrom('sent_mails')
      .where('sent_at', '<=', time - HOUR)
      .execute();
    const all: Sent = db.selectFrom('sent_mails').select('sent_at');
    const bounds: [Sent, number][] = [[all, limit]];
    // A limit of few mails is too small to be shared out.
    if (limit >= 4) bounds.push([all.where('recipient_hash', '=', recipient), Math.ceil(limit / 4)]);
    if (limit >= 4 && !isAccount) bounds.push([all.where('is_account', '=', false), limit - Math.ceil(limit / 10)]);
    let wait = 0;
    for (const [sent, most] of bounds) wait = Math.max(wait, await waitOf(sent, most, time));
    if (wait === 0) await db.insertInto('sent_mails').values({ sent_at: time, recipient_hash: recipient, is_account: isAccount }).execute();
    return wait;
  });
}

/** Seconds until fewer than `most` of these are of the last hour. */
async function waitOf(sent: Sent, most: number, time: number): Promise<number> {
  if (most === 0) return HOUR / 1000;
  const last = await sent
    .orderBy('sent_at', 'desc')
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst();
  return last ? Math.max(1, Math.ceil((last.sent_at + HOUR - time) / 1000)) : 0;
}
