import type { SchemaMigration } from './schema-kit.ts';

export const keys: SchemaMigration = {
  name: '0011-keys',
  async up(kit) {
    await kit.table('ssh_keys', {
      id: 'id',
      type: 'text',
      user_id: 'ref?:users',
      title: 'text',
      content: 'text',
      fingerprint: 'text',
      created_at: 'time',
      last_used_at: 'time',
    });
    await kit.index('ssh_keys', ['fingerprint'], { unique: true });
    await kit.index('ssh_keys', ['user_id', 'title'], { unique: true, where: 'user_id is not null' });
    await kit.table('gpg_keys', {
      id: 'id',
      user_id: 'ref:users',
      key_id: 'text',
      primary_key_id: 'text=',
      content: 'text',
      armored: 'text=',
      emails: 'json',
      can_sign: 'boolean=false',
      can_encrypt: 'boolean=false',
      verified: 'boolean=false',
      created_at: 'time',
      expires_at: 'integer?',
      added_at: 'time',
    });
    await kit.index('gpg_keys', ['key_id'], { unique: true });
    await kit.index('gpg_keys', ['primary_key_id']);
    await kit.index('gpg_keys', ['user_id', 'primary_key_id']);
  },
};
