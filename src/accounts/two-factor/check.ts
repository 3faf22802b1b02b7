import { type Selectable, sql } from 'kysely';
import { secondFactorsOf } from '../../access/second-factor.ts';
import { now } from '../../clock.ts';
import type { Services } from '../../context.ts';
import type { TwoFactorsTable, User } from '../../database/tables/accounts.ts';
import { HttpError, unauthorized } from '../../http/errors.ts';
import { REFUSED } from '../sign-in/refused.ts';
import { isImportedHash } from '../tokens/imported-hash.ts';
import { hashRecoveryCode } from './recovery-code.ts';
import { matchingStep } from './totp.ts';

/** After so many wrong codes in a row none is checked for a while: there are only a million of them. */
const MAX_FAILURES = 10;

/** The context of an encrypted shared secret, so that a row cannot be used for another user. */
export function secretContext(userId: number): string {
  return `two-factor ${userId}`;
}

/** The second factor is missing or wrong. The message is that of a wrong password, so that it does not confirm the password. */
export class WrongSecondFactor extends HttpError {
  constructor() {
    super(401, REFUSED);
  }
}

/**
 * Checks the second factor of a request with a password, which can only have a one-time code: an account with passkeys is refused.
 * @throws HttpError 401; 429 after too many wrong codes
 */
export async function checkSecondFactor(services: Services, user: User, code: string): Promise<void> {
  const { hasCodes, hasPasskeys } = await secondFactorsOf(services.database.db, user.id);
  if (hasPasskeys) throw unauthorized('basic authorization is not allowed while WebAuthn enrolled');
  if (hasCodes) await checkOneTimeCode(services, user, code);
}

/**
 * Checks a one-time code, which is accepted once.
 * @throws HttpError 401; 429 after too many wrong codes
 */
export async function checkOneTimeCode(services: Services, user: User, code: string): Promise<void> {
  const { db } = services.database;
  if (code.trim() === '') throw new WrongSecondFactor();
  await countTry(services, user);
  const factor = await db.selectFrom('two_factors').selectAll().where('user_id', '=', user.id).executeTakeFirst();
  if (!factor) throw new WrongSecondFactor();
  const secret = services.secrets.decrypt(factor.secret, secretContext(user.id));
  const step = matchingStep(secret, code.trim(), now(), factor.last_used_step);
  if (step === undefined) throw new WrongSecondFactor();
  const used = await db
    .updateTable('two_factors')
    .set({ last_used_step: step, failures: 0 })
    .where('user_id', '=', user.id)
    .where('last_used_step', '<', step)
    .executeTakeFirst();
  if (used.numUpdatedRows === 0n) throw new WrongSecondFactor();
}

/**
 * Uses up the recovery code of an account.
 * @throws HttpError 401; 429 after too many wrong codes
 */
export async function useRecoveryCode(services: Services, user: User, code: string): Promise<void> {
  await countTry(services, user);
  const { db } = services.database;
  const factor = await db.selectFrom('two_factors').selectAll().where('user_id', '=', user.id).executeTakeFirst();
  if (!factor || !(await isRecoveryCode(factor, code))) throw new WrongSecondFactor();
  const used = await db
    .updateTable('two_factors')
    .set({ recovery_hash: '', recovery_salt: '', failures: 0 })
    .where('user_id', '=', user.id)
    .where('recovery_hash', '=', factor.recovery_hash)
    .executeTakeFirst();
  if (used.numUpdatedRows === 0n) throw new WrongSecondFactor();
}

/** Imported codes have Gitea's form and hash until they are used. */
async function isRecoveryCode({ recovery_hash: hash, recovery_salt: salt }: Selectable<TwoFactorsTable>, code: string): Promise<boolean> {
  if (hash === '') return false;
  return salt === '' ? hash === hashRecoveryCode(code) : await isImportedHash(code.trim().toUpperCase(), hash, salt);
}

/** Counts a code before it is checked, so that concurrent attempts are all counted. */
async function countTry({ database: { db }, settings }: Services, user: User): Promise<void> {
  const time = now();
  const forgotten = time - Math.ceil(settings.throttle.window / 1000);
  const counted = await db
    .updateTable('two_factors')
    .set({ failures: sql<number>`case when failed_at < ${forgotten} then 1 else failures + 1 end`, failed_at: time })
    .where('user_id', '=', user.id)
    .where((where) => where.or([where('failures', '<', MAX_FAILURES), where('failed_at', '<', forgotten)]))
    .executeTakeFirst();
  if (counted.numUpdatedRows > 0n) return;
  const headers = { 'retry-after': String(Math.ceil(settings.throttle.window / 1000)) };
  throw new HttpError(429, 'too many wrong one-time codes', { headers });
}
