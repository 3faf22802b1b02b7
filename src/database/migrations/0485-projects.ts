import type { SchemaMigration } from './schema-kit.ts';

/** Boards of repositories and accounts: their columns, and the issues on them as cards. */
export const projects: SchemaMigration = {
  name: '0485-projects',
  phase: 'expand',
  async up(kit) {
    await kit.table('projects', {
      id: 'id',
      repository_id: 'part?:repositories',
      owner_id: 'part?:users',
      title: 'text',
      description: 'text=',
      creator_id: 'integer',
      is_closed: 'boolean=false',
      template: 'text=none',
      card_type: 'text=text',
      closed_at: 'time?',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('projects', ['repository_id', 'is_closed', 'created_at']);
    await kit.index('projects', ['owner_id', 'is_closed', 'created_at']);
    await kit.table('project_columns', {
      id: 'id',
      project_id: 'ref:projects',
      title: 'text',
      color: 'text=',
      is_default: 'boolean=false',
      sorting: 'integer=0',
      creator_id: 'integer',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('project_columns', ['project_id', 'sorting', 'id']);
    await kit.table(
      'project_cards',
      { id: 'id', issue_id: 'ref:issues', project_id: 'ref:projects', column_id: 'ref:project_columns', sorting: 'integer=0' },
      { unique: [['issue_id']] },
    );
    await kit.index('project_cards', ['project_id', 'column_id', 'sorting', 'id']);
    await kit.index('project_cards', ['column_id', 'sorting', 'id']);
    await kit.addColumn('comments', 'old_project_id', 'integer?');
    await kit.addColumn('comments', 'project_id', 'integer?');
    await kit.addColumn('comments', 'project_column', 'text=');
  },
};
