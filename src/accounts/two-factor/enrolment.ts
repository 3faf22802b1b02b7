import { randomBytes } from 'node:crypto';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { conflict, forbidden, unprocessable } from '../../http/errors.ts';
import { secretContext } from './check.ts';
import { hashRecoveryCode, newRecoveryCode } from './recovery-code.ts';
import { matchingStep, sharedSecret } from './totp.ts';

const SECRET_BYTES = 20;
const SECONDS_TO_ENROL = 900;

/** A shared secret for an app. */
export interface Enrolment {
  /** For typing. */
  secret: string;
  /** For a QR code or a link (Key Uri Format of Google Authenticator). */
  uri: string;
  /** The secret sealed for {@link enrol}. */
  sealed: string;
}

/**
 * Begins the setup of two-factor authentication; nothing is stored before the first right code.
 * @throws HttpError 403 where the instance does not allow it
 */
export function beginEnrolment({ secrets, settings }: Context, user: User): Enrolment {
  if (settings.users.disabledFeatures.includes('manage_mfa')) throw forbidden('two-factor sign-in cannot be changed');
  const bytes = randomBytes(SECRET_BYTES);
  return shown(settings, user, bytes, secrets.encrypt(`${now() + SECONDS_TO_ENROL} ${bytes.toString('base64')}`, enrolmentContext(user)));
}

/**
 * The setup that is under way, for another attempt with the same secret.
 * @throws HttpError 422 if it has expired
 */
export function enrolmentOf(context: Context, user: User, sealed: string): Enrolment {
  return shown(context.settings, user, openEnrolment(context, user, sealed), sealed);
}

function shown({ instance }: Context['settings'], user: User, bytes: Buffer, sealed: string): Enrolment {
  const { text, uri } = sharedSecret(bytes, instance.name, user.name);
  return { secret: text, uri, sealed };
}

/**
 * Enables two-factor authentication with a right code.
 * @returns the recovery code, which is never shown again
 * @throws HttpError 422 for a wrong code or an expired enrolment, 409 when it is enabled already
 */
export async function enrol(context: Context, user: User, sealed: string, code: string): Promise<string> {
  const secret = openEnrolment(context, user, sealed);
  const step = matchingStep(secret, code.trim(), now(), 0);
  if (step === undefined) throw unprocessable('the code is not right');
  const recovery = newRecoveryCode();
  const factor = {
    user_id: user.id,
    secret: context.secrets.encrypt(secret, secretContext(user.id)),
    recovery_hash: hashRecoveryCode(recovery),
    last_used_step: step,
    created_at: now(),
  };
  await inTransaction(context, async ({ db }) => {
    const insert = db.insertInto('two_factors').values(factor);
    const made = await insert
      .onConflict((clash) => clash.column('user_id').doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!made) throw conflict('two-factor sign-in is on already');
  });
  return recovery;
}

function openEnrolment({ secrets }: Context, user: User, sealed: string): Buffer {
  let text: string;
  try {
    text = secrets.decrypt(sealed, enrolmentContext(user)).toString('utf8');
  } catch {
    throw unprocessable('begin again: the secret is not the one that was shown');
  }
  const [expires = '0', secret = ''] = text.split(' ');
  if (Number(expires) < now()) throw unprocessable('begin again: this took too long');
  return Buffer.from(secret, 'base64');
}

function enrolmentContext(user: User): string {
  return `two-factor enrolment ${user.id}`;
}

/** Whether two-factor authentication is enabled, and its recovery code not used yet. */
export async function twoFactorState({ db }: Context, user: User): Promise<{ isOn: boolean; hasRecoveryCode: boolean }> {
  const row = await db.selectFrom('two_factors').select('recovery_hash').where('user_id', '=', user.id).executeTakeFirst();
  return { isOn: row !== undefined, hasRecoveryCode: row !== undefined && row.recovery_hash !== '' };
}

/** A new recovery code, replacing the former one; undefined when two-factor authentication is disabled. */
export async function renewRecoveryCode(context: Context, user: User): Promise<string | undefined> {
  const code = newRecoveryCode();
  const values = { recovery_hash: hashRecoveryCode(code), recovery_salt: '' };
  const renewed = await inTransaction(context, ({ db }) =>
    db.updateTable('two_factors').set(values).where('user_id', '=', user.id).executeTakeFirst(),
  );
  return renewed.numUpdatedRows > 0n ? code : undefined;
}

/** Disables one-time codes. */
export async function removeTwoFactor(context: Context, user: User): Promise<void> {
  await inTransaction(context, ({ db }) => db.deleteFrom('two_factors').where('user_id', '=', user.id).execute());
}
