import type { SchemaMigration } from './schema-kit.ts';

/** For what refers to a repository or an organization that is deleted: without them each deletion reads all rows. */
export const deletionIndexes: SchemaMigration = {
  name: '0614-deletion-indexes',
  phase: 'expand',
  async up(kit) {
    await kit.index('repositories', ['template_id']);
    await kit.index('team_repositories', ['organization_id']);
  },
};
