import type { SchemaMigration } from './schema-kit.ts';

/** Files of pull requests that a user has viewed, and comments on several lines. */
export const pullViewedFiles: SchemaMigration = {
  name: '0460-pull-viewed-files',
  phase: 'expand',
  async up(kit) {
    await kit.table(
      'pull_viewed_files',
      { pull_id: 'ref:pull_requests', user_id: 'ref:users', path: 'text', content: 'text', viewed_at: 'time' },
      { primaryKey: ['pull_id', 'user_id', 'path'] },
    );
    await kit.index('pull_viewed_files', ['user_id']);
    await kit.addColumn('code_comments', 'line_count', 'integer=1');
  },
};
