import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { databaseClock } from '../../database/clock.ts';
import { unprocessable } from '../../http/errors.ts';

const DAY_MS = 86_400_000;
/** Invitations that one account mails in a day, and that one address gets. */
export const MAX_BY_INVITER = 100;
export const MAX_TO_ADDRESS = 5;

/**
 * Counts an invitation, also one that is withdrawn soon: nobody fills mailboxes with what they write into their name by inviting and
 * withdrawing again and again. The counters are those of sign-ins, which remove expired ones.
 * @throws HttpError 422 for one too many; then nothing of the transaction stays
 */
export async function countInvitation(context: Context, inviterId: number, email: string): Promise<void> {
  for (const [whom, most] of [
    [`by ${inviterId}`, MAX_BY_INVITER],
    [`to ${email.toLowerCase()}`, MAX_TO_ADDRESS],
  ] as const) {
    if ((await counted(context, whom)) > most) throw unprocessable('[email]: too many invitations were mailed in the last day');
  }
}

async function counted({ db, database }: Context, whom: string): Promise<number> {
  const key = createHash('sha256')
    .update(JSON.stringify(['invited', whom]))
    .digest('base64url');
  const time = databaseClock(database.dialect);
  const expires = sql<number>`${time} + ${sql.lit(DAY_MS)}`;
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
