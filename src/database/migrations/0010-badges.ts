import type { SchemaMigration } from './schema-kit.ts';

export const badges: SchemaMigration = {
  name: '0010-badges',
  async up(kit) {
    await kit.table('badges', { id: 'id', slug: 'text', description: 'text=', image_url: 'text=' });
    await kit.index('badges', ['slug'], { unique: true });
    await kit.table('user_badges', { user_id: 'ref:users', badge_id: 'ref:badges' }, { primaryKey: ['user_id', 'badge_id'] });
    await kit.index('user_badges', ['badge_id']);
  },
};
