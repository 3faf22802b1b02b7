import type { SchemaMigration } from './schema-kit.ts';

/** The public keys by which requests of Chef's clients are verified. */
export const chefKeys: SchemaMigration = {
  name: '0340-chef-keys',
  async up(kit) {
    await kit.table('chef_keys', { user_id: 'ref:users', public_key: 'text', created_at: 'time' }, { primaryKey: ['user_id'] });
  },
};
