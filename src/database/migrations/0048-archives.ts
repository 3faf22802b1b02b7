import type { SchemaMigration } from './schema-kit.ts';

export const archives: SchemaMigration = {
  name: '0048-archives',
  async up(kit) {
    await kit.table(
      'archives',
      { id: 'id', repository_id: 'integer', key: 'text', created_at: 'time', used_at: 'time' },
      { unique: [['key']] },
    );
    await kit.index('archives', ['used_at']);
    await kit.index('archives', ['repository_id']);
  },
};
