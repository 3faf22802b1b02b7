import type { SchemaMigration } from './schema-kit.ts';

export const accounts: SchemaMigration = {
  name: '0002-accounts',
  async up(kit) {
    await kit.table('users', {
      id: 'id',
      type: 'text',
      name: 'text',
      lower_name: 'text',
      full_name: 'text=',
      email: 'text=',
      keep_email_private: 'boolean=false',
      email_notifications: 'text=enabled',
      password_hash: 'text=',
      must_change_password: 'boolean=false',
      login_name: 'text=',
      source_id: 'integer=0',
      location: 'text=',
      website: 'text=',
      description: 'text=',
      language: 'text=',
      theme: 'text=',
      diff_view_style: 'text=',
      visibility: 'text=public',
      keep_activity_private: 'boolean=false',
      is_active: 'boolean=true',
      is_admin: 'boolean=false',
      is_restricted: 'boolean=false',
      prohibit_login: 'boolean=false',
      allow_git_hook: 'boolean=false',
      allow_import_local: 'boolean=false',
      allow_create_organization: 'boolean=true',
      max_repo_creation: 'integer=-1',
      repo_admin_change_team_access: 'boolean=false',
      avatar: 'text=',
      last_login_at: 'time=0',
      followers_count: 'integer=0',
      following_count: 'integer=0',
      stars_count: 'integer=0',
      repos_count: 'integer=0',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('users', ['lower_name'], { unique: true });
    await kit.index('users', ['type', 'visibility', 'lower_name']);
    await kit.index('users', ['type', 'name']);
    await kit.index('users', ['created_at']);
    await kit.table('email_addresses', {
      id: 'id',
      user_id: 'ref:users',
      email: 'text',
      lower_email: 'text',
      is_activated: 'boolean=false',
      is_primary: 'boolean=false',
    });
    await kit.index('email_addresses', ['lower_email'], { unique: true });
    await kit.index('email_addresses', ['user_id']);
    await kit.table('access_tokens', {
      id: 'id',
      user_id: 'ref:users',
      name: 'text',
      token_hash: 'text',
      token_last_eight: 'text',
      scope: 'text',
      created_at: 'time',
      updated_at: 'time',
      last_used_at: 'time=0',
    });
    await kit.index('access_tokens', ['token_hash'], { unique: true });
    await kit.index('access_tokens', ['user_id', 'name'], { unique: true });
    await kit.table('user_redirects', { lower_name: 'text', user_id: 'ref:users' }, { primaryKey: ['lower_name'] });
    await kit.index('user_redirects', ['user_id']);
    await kit.table(
      'follows',
      { follower_id: 'ref:users', followed_id: 'ref:users', created_at: 'time' },
      { primaryKey: ['follower_id', 'followed_id'] },
    );
    await kit.index('follows', ['followed_id', 'follower_id']);
    await kit.table('blocks', { id: 'id', blocker_id: 'ref:users', blocked_id: 'ref:users', note: 'text=', created_at: 'time' });
    await kit.index('blocks', ['blocker_id', 'blocked_id'], { unique: true });
    await kit.index('blocks', ['blocked_id']);
    await kit.table(
      'two_factors',
      {
        user_id: 'ref:users',
        secret: 'text',
        recovery_hash: 'text=',
        last_used_step: 'integer=0',
        failures: 'integer=0',
        failed_at: 'time=0',
        created_at: 'time',
      },
      { primaryKey: ['user_id'] },
    );
  },
};
