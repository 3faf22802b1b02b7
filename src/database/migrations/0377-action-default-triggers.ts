import type { SchemaMigration } from './schema-kit.ts';

/** Which events start workflows of the default branches. */
export const actionDefaultTriggers: SchemaMigration = {
  name: '0377-action-default-triggers',
  up: async (kit) => {
    await kit.addColumn('action_repositories', 'triggers', 'text?');
  },
};
