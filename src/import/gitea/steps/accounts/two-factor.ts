import { Secret } from 'otpauth/bare';
import { secretContext } from '../../../../accounts/two-factor/check.ts';
import { decryptTwoFactorSecret } from '../../secrets.ts';
import type { Step } from '../../step.ts';

/** The shared secrets of one-time codes, encrypted with our own key. */
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
      // Without its second factor the account would be open to whoever has the password alone.
      if (!secret) {
        batch.note(`user ${userId}`, 'the secret of the one-time codes cannot be decrypted with SECRET_KEY: the account is locked');
        batch.change((db) => db.updateTable('users').set({ prohibit_login: true }).where('id', '=', userId).execute());
        continue;
      }
      batch.note(`user ${userId}`, 'the recovery code is not taken over: make a new one');
      batch.add('two_factors', {
        user_id: userId,
        secret: secrets.encrypt(secret, secretContext(userId)),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** The bytes of a secret that Gitea keeps in Base32. */
function readSecret(key: string, encrypted: string): Buffer | undefined {
  const text = decryptTwoFactorSecret(key, encrypted)?.replace(/=+$/, '').toUpperCase();
  return text && /^[A-Z2-7]{8,200}$/.test(text) ? Buffer.from(Secret.fromBase32(text).buffer) : undefined;
}
