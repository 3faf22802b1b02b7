import type { Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { unauthorized } from '../../http/errors.ts';
import { now } from '../../http/schema.ts';
import { matchingStep } from './totp.ts';

/** What a shared secret is encrypted for, so that a row cannot pass for another user's. */
export function secretContext(userId: number): string {
  return `two-factor ${userId}`;
}

/**
 * Checks the one-time code of an account with two-factor sign-in; others need none. A code is accepted once (lesson 5).
 * @throws HttpError 401
 */
export async function checkOneTimeCode(services: Services, user: User, code: string): Promise<void> {
  const { db } = services.database;
  const factor = await db.selectFrom('two_factors').selectAll().where('user_id', '=', user.id).executeTakeFirst();
  if (!factor) return;
  const secret = services.secrets.decrypt(factor.secret, secretContext(user.id));
  const step = matchingStep(secret, code.trim(), now(), factor.last_used_step);
  if (step === undefined) throw unauthorized('invalid provided OTP');
  const used = await db
    .updateTable('two_factors')
    .set({ last_used_step: step })
    .where('user_id', '=', user.id)
    .where('last_used_step', '<', step)
    .executeTakeFirst();
  if (used.numUpdatedRows === 0n) throw unauthorized('invalid provided OTP');
}
