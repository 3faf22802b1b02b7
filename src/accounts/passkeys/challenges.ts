import { createHash, randomBytes } from 'node:crypto';
import { now } from '../../clock.ts';
import type { Services } from '../../context.ts';

/** Seconds that a user has to touch the device. */
const LIFETIME = 300;

/** Seconds for which a used challenge is remembered after it has expired: the clock of another process may be behind. */
const REMEMBERED = 3600;

/** The purpose of a signature; a challenge for one is invalid for another. */
export type Ceremony = 'register' | 'sign-in' | 'second-factor';

/**
 * A new challenge. It is signed and not stored, so that nobody can fill the database with requests.
 * @param bound what it is bound to: the browser, the account
 */
export function newChallenge(
  { secrets }: Pick<Services, 'secrets'>,
  ceremony: Ceremony,
  ...bound: readonly string[]
): Uint8Array<ArrayBuffer> {
  const text = `${now() + LIFETIME}.${randomBytes(16).toString('base64url')}`;
  return Uint8Array.from(Buffer.from(`${text}.${secrets.sign(`passkey ${ceremony}`, text, ...bound)}`));
}

/** Uses up a challenge: false for one bound to something else, an expired one, and a used one. */
export async function useChallenge(
  services: Services,
  ceremony: Ceremony,
  challenge: string,
  ...bound: readonly string[]
): Promise<boolean> {
  const [expires = '', random = '', signature = ''] = Buffer.from(challenge, 'base64url').toString('latin1').split('.');
  const text = `${expires}.${random}`;
  const time = now();
  if (!services.secrets.isSigned(signature, `passkey ${ceremony}`, text, ...bound) || Number(expires) < time) return false;
  const { db } = services.database;
  await db
    .deleteFrom('used_challenges')
    .where('expires_at', '<', time - REMEMBERED)
    .execute();
  const used = await db
    .insertInto('used_challenges')
    .values({ challenge_hash: createHash('sha256').update(text).digest('base64url'), expires_at: Number(expires) })
    .onConflict((clash) => clash.column('challenge_hash').doNothing())
    .executeTakeFirst();
  return used.numInsertedOrUpdatedRows === 1n;
}
