import type { SchemaMigration } from './schema-kit.ts';

/** Where deleted branches were, so that they can be restored. */
export const deletedBranches: SchemaMigration = {
  name: '0493-deleted-branches',
  phase: 'expand',
  async up(kit) {
    await kit.table('deleted_branches', {
      id: 'id',
      repository_id: 'ref:repositories',
      name: 'text',
      commit_id: 'text',
      deleted_by: 'ref?:users',
      deleted_at: 'time',
    });
    await kit.index('deleted_branches', ['repository_id', 'id']);
    await kit.index('deleted_branches', ['deleted_by']);
    await kit.index('deleted_branches', ['deleted_at']);
  },
};
