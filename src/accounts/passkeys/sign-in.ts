import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { findUserById } from '../../access/find-user.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Passkey, User } from '../../database/tables/accounts.ts';
import { HttpError, unauthorized } from '../../http/errors.ts';
import { createThrottle } from '../throttle.ts';
import { type Ceremony, newChallenge, useChallenge } from './challenges.ts';
import { listPasskeys } from './passkeys.ts';
import { loadWebauthn, readCredential, relyingParty, type SentCredential, userHandle } from './relying-party.ts';

/** A signature for a sign-in. */
export interface PasskeyAttempt {
  /** Binds the challenge to the browser. */
  readonly browser: string;
  /** The credential, as JSON. */
  readonly sent: string;
  readonly ip: string;
}

/**
 * The options with which a browser signs in: any passkey of this instance that the device has.
 * @param browser binds the response to this browser
 */
export function passkeySignInOptions(context: Context, browser: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOptions(context, newChallenge(context, 'sign-in', browser), []);
}

/** The options with which a browser proves the second factor of this account. */
export async function secondFactorOptions(context: Context, user: User, browser: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = newChallenge(context, 'second-factor', browser, String(user.id));
  return requestOptions(context, challenge, await listPasskeys(context, user));
}

/**
 * The user of a signature by passkey, without a user name or a password.
 * @throws HttpError 401 when anything is wrong, 429 after too many failures
 */
export async function userByPasskey(context: Context, attempt: PasskeyAttempt): Promise<User> {
  const { passkey } = await verify(context, 'sign-in', attempt, [attempt.browser], ({ passkey, credential }) => {
    const { userHandle: handle } = credential.response;
    return typeof handle === 'string' && handle === Buffer.from(userHandle(passkey.user_id)).toString('base64url');
  });
  const user = await findUserById(context.db, passkey.user_id);
  if (user?.type !== 'individual' || user.prohibit_login) throw refusal();
  return user;
}

/**
 * Checks that a passkey of the account has signed.
 * @throws HttpError 401 when anything is wrong, 429 after too many failures
 */
export async function checkPasskey(context: Context, user: User, attempt: PasskeyAttempt): Promise<void> {
  const bound = [attempt.browser, String(user.id)];
  await verify(context, 'second-factor', attempt, bound, ({ passkey }) => passkey.user_id === user.id);
}

interface Presented {
  readonly passkey: Passkey;
  readonly credential: SentCredential;
}

async function verify(
  context: Context,
  ceremony: Ceremony,
  { sent, ip }: PasskeyAttempt,
  bound: readonly string[],
  belongs: (presented: Presented) => boolean,
): Promise<Presented> {
  const credential = readCredential(sent);
  // Attempts are counted, so that nobody can overload the server; a successful one is subtracted.
  const source = { account: `passkey ${credential?.id.slice(0, 1400) ?? ''}`, address: ip };
  const throttle = createThrottle(context.settings.throttle, context.database);
  const decision = await throttle.begin(source);
  if (decision.refused) {
    throw new HttpError(429, 'too many failed sign-ins', { headers: { 'retry-after': String(Math.ceil(decision.retryAfter / 1000)) } });
  }
  if (decision.delay > 0) await sleep(decision.delay);
  const passkey = credential && (await findPasskey(context, credential.id));
  if (!passkey || !belongs({ passkey, credential })) throw refusal();
  const counter = await verifiedCounter(context, ceremony, { passkey, credential }, bound);
  if (counter === undefined || !(await takeCounter(context, passkey, counter))) throw refusal();
  if (decision.isCounted) await throttle.succeeded(source);
  return { passkey, credential };
}

function findPasskey({ db }: Context, credentialId: string): Promise<Passkey | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** The counter of a valid signature. */
async function verifiedCounter(
  context: Context,
  ceremony: Ceremony,
  { passkey, credential }: Presented,
  bound: readonly string[],
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { id, origin } = relyingParty(context.settings);
  const result = await verifyAuthenticationResponse({
    response: credential as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => useChallenge(context, ceremony, challenge, ...bound),
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
    // Alone it replaces the password: a person who finds the device must not get in.
    requireUserVerification: ceremony === 'sign-in',
  }).catch(() => undefined);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

/** Stores the counter, unless another signature has come with the same or a later one: then two devices would have the key. */
async function takeCounter({ db }: Context, { id }: Passkey, counter: number): Promise<boolean> {
  const taken = await db
    .updateTable('passkeys')
    .set({ counter, used_at: now() })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

async function requestOptions(
  context: Context,
  challenge: Uint8Array<ArrayBuffer>,
  allowed: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebauthn();
  return generateAuthenticationOptions({
    rpID: relyingParty(context.settings).id,
    challenge,
    timeout: 300_000,
    userVerification: allowed.length === 0 ? 'required' : 'discouraged',
    ...(allowed.length > 0 && {
      allowCredentials: allowed.map(({ credential_id: id, transports }) => ({ id, transports: transports as never })),
    }),
  });
}

function refusal(): HttpError {
  return unauthorized('the passkey is not accepted');
}
