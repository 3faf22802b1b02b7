import { Secret } from 'otpauth/bare';
import { secretContext } from '../../../../accounts/two-factor/check.ts';
import { decryptTwoFactorSecret } from '../../secrets.ts';
import type { Step } from '../../step.ts';

/** The shared secrets of one-time codes, encrypted with our own key, and the recovery codes with the hashes that they have. */
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
      // Without its second factor the account would be open to anyone with the password alone.
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

/** Security keys (WebAuthn) are not supported. Users who relied on them alone are named: their accounts are open to anyone with the password. */
export const securityKeys: Step = {
  name: 'security keys',
  table: 'webauthn_credential',
  run: async (rows, batch) => {
    const ids = [...new Set(rows.map((row) => row.integer('user_id')))];
    const users = await batch.context.db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute();
    const others = await batch.context.db.selectFrom('two_factors').select('user_id').where('user_id', 'in', ids).execute();
    for (const { id, name } of users) {
      const hasCodes = others.some(({ user_id }) => user_id === id);
      const rest = hasCodes ? 'it has its one-time codes' : 'its password alone is enough now, until it sets up one-time codes';
      batch.note(`user ${id} (${name})`, `its security keys are not taken over: ${rest}`);
    }
  },
};

/** The bytes of a secret that Gitea keeps in Base32. */
function readSecret(key: string, encrypted: string): Buffer | undefined {
  const text = decryptTwoFactorSecret(key, encrypted)?.replace(/=+$/, '').toUpperCase();
  return text && /^[A-Z2-7]{8,200}$/.test(text) ? Buffer.from(Secret.fromBase32(text).buffer) : undefined;
}
