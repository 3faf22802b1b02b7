import type { SchemaMigration } from './schema-kit.ts';

export const repositories: SchemaMigration = {
  name: '0004-repositories',
  async up(kit) {
    await kit.table('repositories', {
      id: 'id',
      owner_id: 'ref:users',
      name: 'text',
      lower_name: 'text',
      description: 'text=',
      website: 'text=',
      original_url: 'text=',
      default_branch: 'text=main',
      default_wiki_branch: 'text=main',
      object_format: 'text=sha1',
      is_private: 'boolean=false',
      is_archived: 'boolean=false',
      archived_at: 'time=0',
      is_mirror: 'boolean=false',
      is_empty: 'boolean=true',
      is_template: 'boolean=false',
      state: 'text=ready',
      fork_id: 'ref?:repositories',
      template_id: 'ref?:repositories',
      trust_model: 'text=default',
      closes_issues_on_any_branch: 'boolean=false',
      is_transferring: 'boolean=false',
      units: 'json',
      topics: 'json=[]',
      licenses: 'json=[]',
      language: 'text=',
      avatar: 'text=',
      size: 'integer=0',
      lfs_size: 'integer=0',
      branches_count: 'integer=0',
      stars_count: 'integer=0',
      watchers_count: 'integer=0',
      forks_count: 'integer=0',
      last_issue_number: 'integer=0',
      issues_count: 'integer=0',
      closed_issues_count: 'integer=0',
      pulls_count: 'integer=0',
      closed_pulls_count: 'integer=0',
      releases_count: 'integer=0',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('repositories', ['owner_id', 'lower_name'], { unique: true });
    await kit.index('repositories', ['owner_id', 'updated_at']);
    await kit.index('repositories', ['lower_name', 'id']);
    await kit.index('repositories', ['updated_at', 'id']);
    await kit.index('repositories', ['created_at', 'id']);
    await kit.index('repositories', ['stars_count', 'id']);
    await kit.index('repositories', ['forks_count', 'id']);
    await kit.index('repositories', ['size', 'id']);
    await kit.index('repositories', ['fork_id', 'id']);
    await kit.index('repositories', ['state'], { where: "state <> 'ready'" });
    await kit.table(
      'repository_redirects',
      { owner_id: 'ref:users', lower_name: 'text', repository_id: 'ref:repositories' },
      { primaryKey: ['owner_id', 'lower_name'] },
    );
    await kit.index('repository_redirects', ['repository_id']);
    await kit.table(
      'collaborations',
      { id: 'id', repository_id: 'ref:repositories', user_id: 'ref:users', access_level: 'integer', created_at: 'time' },
      { unique: [['repository_id', 'user_id']] },
    );
    await kit.index('collaborations', ['user_id']);
    await kit.table(
      'team_repositories',
      { team_id: 'ref:teams', organization_id: 'ref:users', repository_id: 'ref:repositories' },
      { primaryKey: ['team_id', 'repository_id'] },
    );
    await kit.index('team_repositories', ['repository_id']);
    await kit.table(
      'stars',
      { repository_id: 'ref:repositories', user_id: 'ref:users', created_at: 'time' },
      { primaryKey: ['repository_id', 'user_id'] },
    );
    await kit.index('stars', ['user_id', 'created_at']);
    await kit.table(
      'watches',
      { repository_id: 'ref:repositories', user_id: 'ref:users', mode: 'text=normal', created_at: 'time' },
      { primaryKey: ['repository_id', 'user_id'] },
    );
    await kit.index('watches', ['user_id', 'repository_id']);
    await kit.table('topics', { id: 'id', name: 'text', repos_count: 'integer=0', created_at: 'time', updated_at: 'time' });
    await kit.index('topics', ['name'], { unique: true });
    await kit.table(
      'repository_topics',
      { repository_id: 'ref:repositories', topic_id: 'ref:topics' },
      { primaryKey: ['repository_id', 'topic_id'] },
    );
    await kit.index('repository_topics', ['topic_id']);
  },
};
