import type { SchemaMigration } from './schema-kit.ts';

/** What people contributed to default branches, and what was closed and merged lately in a repository. */
export const contributions: SchemaMigration = {
  name: '0490-contributions',
  phase: 'expand',
  async up(kit) {
    await kit.table(
      'repository_contributions',
      { repository_id: 'ref:repositories', head: 'text', contributions: 'json', counted_at: 'time' },
      { primaryKey: ['repository_id'] },
    );
    await kit.index('issues', ['repository_id', 'merged_at', 'id'], { where: 'merged_at is not null' });
    await kit.index('issues', ['repository_id', 'closed_at', 'id'], { where: 'closed_at is not null' });
  },
};
