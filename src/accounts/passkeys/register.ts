import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { conflict, unprocessable } from '../../http/errors.ts';
import { newChallenge, useChallenge } from './challenges.ts';
import { listPasskeys, MAX_PASSKEYS, nameTaken, passkeyName, requireManageable } from './passkeys.ts';
import { ALGORITHMS, loadWebauthn, readCredential, relyingParty, userHandle } from './relying-party.ts';

/** The transports that browsers know. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/**
 * The options with which a browser creates a passkey.
 * @param browser binds the response to this browser
 * @throws HttpError 403 where the instance does not allow it; 409 for a name that is taken; 422 for a bad name, or one passkey too many
 */
export async function beginPasskey(
  context: Context,
  user: User,
  { browser, name }: { browser: string; name: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  requireManageable(context);
  const lowerName = passkeyName(name).toLowerCase();
  const known = await listPasskeys(context, user);
  if (known.length >= MAX_PASSKEYS) throw unprocessable(`an account has at most ${MAX_PASSKEYS} passkeys`);
  if (known.some((one) => one.lower_name === lowerName)) throw nameTaken();
  const { generateRegistrationOptions } = await loadWebauthn();
  return generateRegistrationOptions({
    rpName: context.settings.instance.name,
    rpID: relyingParty(context.settings).id,
    userID: userHandle(user.id),
    userName: user.name,
    userDisplayName: user.full_name || user.name,
    challenge: newChallenge(context, 'register', browser, String(user.id)),
    timeout: 300_000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
}

/**
 * Adds the passkey that a browser has created.
 * @param sent its credential, as JSON
 * @throws HttpError as {@link beginPasskey}; 422 for an invalid credential, 409 for one that is registered
 */
export async function addPasskey(
  context: Context,
  user: User,
  { browser, name, sent }: { browser: string; name: string; sent: string },
): Promise<void> {
  requireManageable(context);
  const shown = passkeyName(name);
  const made = await verifiedKey(context, user, browser, sent);
  const row = {
    user_id: user.id,
    name: shown,
    lower_name: shown.toLowerCase(),
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: JSON.stringify((made.transports ?? []).filter((way) => TRANSPORTS.includes(way))),
    created_at: now(),
  };
  await inTransaction(context, async ({ db }) => {
    const known = await db.selectFrom('passkeys').select(['lower_name']).where('user_id', '=', user.id).execute();
    if (known.length >= MAX_PASSKEYS) throw unprocessable(`an account has at most ${MAX_PASSKEYS} passkeys`);
    if (known.some(({ lower_name }) => lower_name === row.lower_name)) throw nameTaken();
    const added = await db
      .insertInto('passkeys')
      .values(row)
      .onConflict((clash) => clash.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw conflict('this passkey is registered already');
  });
}

async function verifiedKey(context: Context, user: User, browser: string, sent: string) {
  const refusal = () => unprocessable('the passkey could not be verified');
  const credential = readCredential(sent);
  if (!credential) throw refusal();
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { id, origin } = relyingParty(context.settings);
  const result = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    expectedChallenge: (challenge) => useChallenge(context, 'register', challenge, browser, String(user.id)),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!result?.verified) throw refusal();
  return result.registrationInfo.credential;
}
