import { InvalidSshKeyError, readSshPublicKey } from '../../../../accounts/keys/ssh-public-key.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Kinds of keys, by Gitea's number (models/asymkey/ssh_key.go, `KeyType`). */
const USER_KEY = 1;
const DEPLOY_KEY = 2;

/** SSH keys of users, and deploy keys of repositories. */
export const sshKeys: Step = {
  name: 'SSH keys',
  table: 'public_key',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'owner_id');
    for (const row of rows) {
      const type = row.integer('type');
      if (type === DEPLOY_KEY) addKey(row, batch, null);
      else if (type !== USER_KEY)
        batch.note(`SSH key ${row.id}`, 'it is a principal of certificates, which are not supported: it is left out');
      else if (users.has(row.integer('owner_id'))) addKey(row, batch, row.integer('owner_id'));
    }
  },
};

function addKey(row: Row, batch: Batch, userId: number | null): void {
  const subject = `SSH key ${row.id}${userId === null ? '' : ` of user ${userId}`}`;
  try {
    const { content, fingerprint } = readSshPublicKey(row.text('content'), batch.context.settings.ssh.minimumRsaBits);
    batch.add('ssh_keys', {
      id: row.id,
      type: userId === null ? 'deploy' : 'user',
      user_id: userId,
      title: row.line('name'),
      content,
      fingerprint,
      created_at: row.time('created_unix'),
      last_used_at: row.time('updated_unix'),
      verified: row.flag('verified'),
    });
  } catch (error) {
    if (!(error instanceof InvalidSshKeyError)) throw error;
    batch.note(subject, `${error.message}: it is left out`);
  }
}

/** OpenPGP keys of users, and their subkeys. */
export const gpgKeys: Step = {
  name: 'OpenPGP keys',
  table: 'gpg_key',
  batchSize: 100,
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'owner_id');
    const ids = rows.map((row) => row.text('key_id'));
    const uploads = new Map(
      (await batch.source.rowsWith('gpg_key_import', 'key_id', ids)).map((row) => [row.text('key_id'), row.text('content')]),
    );
    for (const row of rows) {
      const keyId = row.text('key_id').toUpperCase();
      if (!users.has(row.integer('owner_id')) || !/^[0-9A-F]{16}$/.test(keyId)) continue;
      batch.add('gpg_keys', {
        id: row.id,
        user_id: row.integer('owner_id'),
        key_id: keyId,
        primary_key_id: row.line('primary_key_id', 16).toUpperCase(),
        content: row.text('content'),
        armored: uploads.get(row.text('key_id')) ?? '',
        emails: JSON.stringify(readEmails(row)),
        can_sign: row.flag('can_sign'),
        can_encrypt: row.flag('can_encrypt_comms') || row.flag('can_encrypt_storage'),
        verified: row.flag('verified'),
        // Cross-certification of the subkey was not checked.
        proven: row.text('primary_key_id') === '',
        created_at: row.time('created_unix'),
        expires_at: row.timeOrNull('expired_unix'),
        added_at: row.time('added_unix'),
      });
    }
  },
};

/** The addresses of a key, rows of Gitea's table of addresses. */
function readEmails(row: Row): string[] {
  const list = row.json('emails');
  if (!Array.isArray(list)) return [];
  const emails = list.map((entry) => String((entry as { Email?: unknown } | null)?.Email ?? '').toLowerCase());
  return emails.filter((email) => email !== '' && email.length <= 254).slice(0, 1000);
}
