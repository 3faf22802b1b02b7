import type { SchemaKit, SchemaMigration } from './schema-kit.ts';

/** What people do around issues, and what notifies them of it. */
export const issueActivity: SchemaMigration = {
  name: '0070-issue-activity',
  async up(kit) {
    await reactions(kit);
    await dependencies(kit);
    await times(kit);
    await notifications(kit);
  },
};

async function reactions(kit: SchemaKit): Promise<void> {
  await kit.table('reactions', {
    id: 'id',
    issue_id: 'ref:issues',
    comment_id: 'part?:comments',
    user_id: 'ref:users',
    content: 'text',
    created_at: 'time',
  });
  await kit.index('reactions', ['issue_id', 'content', 'user_id'], { unique: true, where: 'comment_id is null' });
  await kit.index('reactions', ['comment_id', 'content', 'user_id'], { unique: true, where: 'comment_id is not null' });
  await kit.index('reactions', ['issue_id', 'created_at', 'id']);
  await kit.index('reactions', ['user_id']);
}

async function dependencies(kit: SchemaKit): Promise<void> {
  await kit.table('issue_dependencies', {
    id: 'id',
    issue_id: 'ref:issues',
    dependency_id: 'ref:issues',
    user_id: 'integer',
    created_at: 'time',
  });
  await kit.index('issue_dependencies', ['issue_id', 'dependency_id'], { unique: true });
  await kit.index('issue_dependencies', ['dependency_id']);
}

async function times(kit: SchemaKit): Promise<void> {
  await kit.table('tracked_times', {
    id: 'id',
    issue_id: 'ref:issues',
    user_id: 'integer',
    seconds: 'integer',
    is_deleted: 'boolean=false',
    worked_at: 'time',
    created_at: 'time',
  });
  await kit.index('tracked_times', ['issue_id', 'user_id', 'id']);
  await kit.index('tracked_times', ['user_id', 'id']);
  // One clock for each user, so that two requests at once cannot start two.
  await kit.table('stopwatches', { user_id: 'ref:users', issue_id: 'ref:issues', created_at: 'time' }, { primaryKey: ['user_id'] });
  await kit.index('stopwatches', ['issue_id']);
}

async function notifications(kit: SchemaKit): Promise<void> {
  await kit.table(
    'issue_watches',
    { issue_id: 'ref:issues', user_id: 'ref:users', is_watching: 'boolean', created_at: 'time' },
    { primaryKey: ['issue_id', 'user_id'] },
  );
  await kit.index('issue_watches', ['user_id']);
  await kit.table('notifications', {
    id: 'id',
    user_id: 'ref:users',
    repository_id: 'ref:repositories',
    source: 'text',
    status: 'text=unread',
    issue_id: 'part?:issues',
    commit_id: 'text=',
    updated_by: 'integer',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('notifications', ['user_id', 'issue_id'], { unique: true, where: 'issue_id is not null' });
  await kit.index('notifications', ['user_id', 'updated_at', 'id']);
  await kit.index('notifications', ['user_id', 'status', 'updated_at', 'id']);
  await kit.index('notifications', ['user_id', 'repository_id', 'updated_at', 'id']);
  await kit.index('notifications', ['repository_id']);
  await kit.index('notifications', ['issue_id'], { where: 'issue_id is not null' });
}
