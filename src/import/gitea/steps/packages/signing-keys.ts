import { createPublicKey } from 'node:crypto';
import { signingKeyRow } from '../../../../packages/indexes/signing-keys.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** The keys of formats: Gitea's names and ours. */
const PURPOSES: Readonly<Record<string, string>> = {
  alpine: 'alpine rsa',
  arch: 'arch openpgp',
  debian: 'debian openpgp',
  rpm: 'rpm openpgp',
};
const PRIVATE = /^(alpine|arch|debian|rpm)\.key\.private$/;
const CHEF = 'chef.public_pem';

/** Keys that sign indexes of packages, and public keys of Chef clients: settings of accounts in Gitea. */
export const packageKeys: Step = {
  name: 'keys of packages',
  table: 'user_setting',
  run: async (rows, batch) => {
    const wanted = rows.filter((row) => PRIVATE.test(row.text('setting_key')) || row.text('setting_key') === CHEF);
    if (wanted.length === 0) return;
    const users = await batch.existingOf('users', wanted, 'user_id');
    const others = await batch.source.rowsWith('user_setting', 'user_id', [...users]);
    for (const row of wanted) {
      if (!users.has(row.integer('user_id'))) continue;
      if (row.text('setting_key') === CHEF) addChefKey(row, batch);
      else await addSigningKey(row, others, batch);
    }
  },
};

async function addSigningKey(row: Row, others: readonly Row[], batch: Batch): Promise<void> {
  const [, format = ''] = PRIVATE.exec(row.text('setting_key')) ?? [];
  const ownerId = row.integer('user_id');
  const other = others.find((one) => one.integer('user_id') === ownerId && one.text('setting_key') === `${format}.key.public`);
  const key = { privateKey: row.text('setting_value'), publicKey: other?.text('setting_value') ?? '' };
  const isUsable = format === 'alpine' ? isPublicKey(key.publicKey) : await isOpenPgp(key.privateKey);
  if (!isUsable || key.publicKey === '') {
    batch.note(`key for ${format} packages of account ${ownerId}`, 'it cannot be read: a new one is made, which clients have to be given');
    return;
  }
  batch.add('package_signing_keys', signingKeyRow(batch.context, { id: ownerId }, PURPOSES[format] ?? '', key));
}

function addChefKey(row: Row, batch: Batch): void {
  const key = row.text('setting_value');
  if (!isPublicKey(key)) {
    batch.note(`key for Chef of user ${row.integer('user_id')}`, 'it cannot be read: make a new one');
    return;
  }
  batch.add('chef_keys', { user_id: row.integer('user_id'), public_key: key, created_at: 0 });
}

function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

async function isOpenPgp(armored: string): Promise<boolean> {
  try {
    const { readPrivateKey } = await import('openpgp');
    return (await readPrivateKey({ armoredKey: armored })).isDecrypted();
  } catch {
    return false;
  }
}
