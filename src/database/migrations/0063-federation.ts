import type { SchemaMigration } from './schema-kit.ts';

export const federation: SchemaMigration = {
  name: '0063-federation',
  async up(kit) {
    await kit.table(
      'federation_keys',
      { user_id: 'ref:users', public_key: 'text', private_key: 'text', created_at: 'time' },
      { primaryKey: ['user_id'] },
    );
    await kit.table(
      'federation_followers',
      { user_id: 'ref:users', actor: 'text', inbox: 'text', created_at: 'time' },
      { primaryKey: ['user_id', 'actor'] },
    );
  },
};
