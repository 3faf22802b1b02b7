import type { SchemaMigration } from './schema-kit.ts';

/** Filters of lists of issues and pull requests that users keep under a name. */
export const savedQueries: SchemaMigration = {
  name: '0486-saved-queries',
  phase: 'expand',
  async up(kit) {
    await kit.table('saved_queries', {
      id: 'id',
      user_id: 'ref:users',
      repository_id: 'part?:repositories',
      is_pull: 'boolean',
      name: 'text',
      query: 'text',
      created_at: 'time',
    });
    await kit.index('saved_queries', ['user_id', 'id']);
    await kit.index('saved_queries', ['repository_id']);
  },
};
