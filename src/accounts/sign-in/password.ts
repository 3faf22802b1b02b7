import { findUser, findUserByEmail } from '../../access/find-user.ts';
import type { Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { HttpError, unauthorized } from '../../http/errors.ts';
import { checkSecondFactor } from '../two-factor/check.ts';
import { REFUSED } from './refused.ts';

/** The data of a sign-in. */
export interface PasswordAttempt {
  /** A user name or a confirmed e-mail address. */
  name: string;
  password: string;
  ip: string;
  /** The one-time code, empty when none was sent. */
  oneTimeCode: string;
}

/**
 * Signs in with a password, and a one-time code if the account has two-factor authentication.
 * @throws HttpError 401 when anything is wrong, 429 after too many failures
 */
export async function signInWithPassword(services: Services, { oneTimeCode, ...attempt }: PasswordAttempt): Promise<User> {
  const user = await userByPassword(services, attempt);
  await checkSecondFactor(services, user, oneTimeCode);
  return renewHash(services, user, attempt.password);
}

/**
 * The user of a name and a password; with two-factor authentication this alone is no sign-in.
 * @throws HttpError 401 when anything is wrong, 429 after too many failures
 */
export async function userByPassword(services: Services, { name, password, ip }: Omit<PasswordAttempt, 'oneTimeCode'>): Promise<User> {
  const { db } = services.database;
  const trimmed = name.trim();
  const found = trimmed.includes('@') ? await findUserByEmail(db, trimmed) : await findUser(db, trimmed);
  const user = found?.type === 'individual' ? found : undefined;
  const attempt = { account: trimmed.toLowerCase(), address: ip, password, hash: user?.password_hash || null };
  const verdict = await services.checkPassword(attempt);
  if ('retryAfter' in verdict) {
    throw new HttpError(429, 'too many failed sign-ins', { headers: { 'retry-after': String(Math.ceil(verdict.retryAfter / 1000)) } });
  }
  // A barred account gets the reason only with a token; its password is simply refused.
  if (!verdict.right || !user || user.prohibit_login) throw unauthorized(REFUSED);
  return user;
}

/** Renews the stored hash if the settings have other parameters; returns the user as it is then. */
export async function renewHash({ passwords, database }: Services, user: User, password: string): Promise<User> {
  if (!passwords.needsRehash(user.password_hash)) return user;
  const renewed = await database.db
    .updateTable('users')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .returningAll()
    .executeTakeFirst();
  return renewed ?? user;
}
