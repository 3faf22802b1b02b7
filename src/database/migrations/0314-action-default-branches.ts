import type { SchemaMigration } from './schema-kit.ts';

/** For which default branch it is known whether it has workflows. */
export const actionDefaultBranches: SchemaMigration = {
  name: '0314-action-default-branches',
  up: async (kit) => {
    await kit.addColumn('action_repositories', 'branch', 'text=');
  },
};
