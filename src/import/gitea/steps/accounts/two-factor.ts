import { Secret } from 'otpauth/bare';
import { secretContext } from '../../../../accounts/two-factor/check.ts';
import { trimEnd } from '../../../../text/trim-end.ts';
import { decryptTwoFactorSecret } from '../../secrets.ts';
import type { Step } from '../../step.ts';

/** Size limits of a credential's id (WebAuthn, section 4) and of a device's key, in bytes. */
const MAX_CREDENTIAL_ID = 1023;
const MAX_PUBLIC_KEY = 4096;

/** The shared secrets of one-time codes, encrypted with our own key, and the recovery codes with their existing hashes. */
export const twoFactors: Step = {
  name: 'two-factor secrets',
  table: 'two_factor',
  run: async (rows, batch) => {
    const { secrets } = batch.context;
    const users = await batch.existingOf('users', rows, 'uid');
    for (const row of rows) {
      const userId = row.integer('uid');
      if (!users.has(userId)) continue;
      const secret = readSecret(batch.run.settings.secretKey, row.text('secret'));
      // Without its second factor, the password alone would open the account.
      if (!secret) {
        batch.note(`user ${userId}`, 'the secret of the one-time codes cannot be decrypted with SECRET_KEY: the account is locked');
        batch.change((db) => db.updateTable('users').set({ prohibit_login: true }).where('id', '=', userId).execute());
        continue;
      }
      const [hash, salt] = [row.text('scratch_hash'), row.text('scratch_salt')];
      const isHash = /^[0-9a-f]{100}$/.test(hash) && /^\w{1,64}$/.test(salt);
      if (!isHash) batch.note(`user ${userId}`, 'it has no recovery code that can be read: make a new one');
      batch.add('two_factors', {
        user_id: userId,
        recovery_hash: isHash ? hash : '',
        recovery_salt: isHash ? salt : '',
        secret: secrets.encrypt(secret, secretContext(userId)),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Passkeys and security keys (WebAuthn): they remain valid if the host of the instance stays the same. */
export const securityKeys: Step = {
  name: 'security keys',
  table: 'webauthn_credential',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    for (const row of rows) {
      const userId = row.integer('user_id');
      if (!users.has(userId)) continue;
      const name = [...row.text('name').trim()].slice(0, 100).join('');
      const [credentialId, publicKey] = [row.bytes('credential_id'), row.bytes('public_key')];
      if (name === '' || !isWithin(credentialId, MAX_CREDENTIAL_ID) || !isWithin(publicKey, MAX_PUBLIC_KEY)) {
        batch.note(`user ${userId}`, 'a security key cannot be read: without another second factor the password alone is enough');
        continue;
      }
      batch.add('passkeys', {
        user_id: userId,
        name,
        lower_name: name.toLowerCase(),
        credential_id: credentialId.toString('base64url'),
        public_key: publicKey.toString('base64url'),
        counter: Math.max(0, Math.min(row.integer('sign_count'), 2 ** 32 - 1)),
        transports: '[]',
        created_at: row.time('created_unix'),
      });
    }
  },
};

function isWithin({ length }: Uint8Array, most: number): boolean {
  return length > 0 && length <= most;
}

/** The bytes of a secret that Gitea stores in Base32. */
function readSecret(key: string, encrypted: string): Buffer | undefined {
  const text = trimEnd(decryptTwoFactorSecret(key, encrypted) ?? '', '=').toUpperCase();
  return text && /^[A-Z2-7]{8,200}$/.test(text) ? Buffer.from(Secret.fromBase32(text).buffer) : undefined;
}
