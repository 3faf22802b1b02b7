import type { SchemaMigration } from './schema-kit.ts';

/** The former names of renamed branches. */
export const renamedBranches: SchemaMigration = {
  name: '0235-renamed-branches',
  async up(kit) {
    await kit.table(
      'renamed_branches',
      { repository_id: 'ref:repositories', from_name: 'text', to_name: 'text', created_at: 'time' },
      { primaryKey: ['repository_id', 'from_name'] },
    );
  },
};
