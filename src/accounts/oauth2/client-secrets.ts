import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Semaphore } from '../../concurrency/semaphore.ts';
import { type Context, callerKey } from '../../context.ts';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';

/** Maximum length of a secret. */
const MAX_SECRET = 256;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** bcrypt with a cost up to 12. */
const IMPORTED = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/;

/** A check by bcrypt takes a thread for some tenths of a second, and anybody can ask for it. */
const checking = new Semaphore({ permits: 2, maxWaiting: 200, maxWaitingPerKey: 10, waitTimeoutMs: 10_000 });

/** A new random value: 32 bytes in base64url. */
export function newRandomValue(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a secret, a code or a cookie. They are random, so a fast hash is enough. */
export function hashRandomValue(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** A new client secret in the form of Gitea's, by which scanners recognize leaked ones. */
export function newClientSecret(): string {
  return `gto_${Array.from(randomBytes(52), (byte) => BASE32[byte % 32]).join('')}`;
}

/**
 * Whether `secret` is the application's. An application without one accepts none. A secret that was imported with a bcrypt hash is
 * rehashed when it is first used.
 * @throws BusyError when too many of those wait
 */
export async function isClientSecret(
  context: Pick<Context, 'db' | 'actor' | 'address'>,
  application: OAuth2Application,
  secret: string,
): Promise<boolean> {
  const { id, secret_hash: stored } = application;
  if (stored === '' || secret === '' || secret.length > MAX_SECRET) return false;
  if (IMPORTED.test(stored)) {
    const { verify } = await import('@node-rs/bcrypt');
    if (!(await checking.run(callerKey(context), () => verify(secret, stored)))) return false;
    const hash = hashRandomValue(secret);
    await context.db
      .updateTable('oauth2_applications')
      .set({ secret_hash: hash })
      .where('id', '=', id)
      .where('secret_hash', '=', stored)
      .execute();
    return true;
  }
  const given = Buffer.from(hashRandomValue(secret));
  const expected = Buffer.from(stored);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether an imported hash of a secret can be checked, with limited work. */
export function isImportedSecretHash(hash: string): boolean {
  return IMPORTED.test(hash);
}
