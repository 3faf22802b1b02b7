import type { SchemaMigration } from './schema-kit.ts';

/** What the texts of issues, pull requests and comments were before and after each edit. */
export const contentVersions: SchemaMigration = {
  name: '0497-content-versions',
  phase: 'expand',
  async up(kit) {
    await kit.table('content_versions', {
      id: 'id',
      issue_id: 'ref:issues',
      comment_id: 'part?:comments',
      author_id: 'integer',
      body: 'text',
      is_first: 'boolean=false',
      is_deleted: 'boolean=false',
      written_at: 'time',
    });
    await kit.index('content_versions', ['issue_id', 'comment_id', 'written_at', 'id']);
    await kit.index('content_versions', ['comment_id']);
  },
};
