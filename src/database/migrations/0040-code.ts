import type { SchemaMigration } from './schema-kit.ts';

export const code: SchemaMigration = {
  name: '0040-code',
  async up(kit) {
    await kit.table('branch_protections', {
      id: 'id',
      repository_id: 'ref:repositories',
      rule_name: 'text',
      priority: 'integer',
      can_push: 'boolean=false',
      push_limited: 'boolean=false',
      push_user_ids: 'json=[]',
      push_team_ids: 'json=[]',
      push_deploy_keys: 'boolean=false',
      can_force_push: 'boolean=false',
      force_push_limited: 'boolean=false',
      force_push_user_ids: 'json=[]',
      force_push_team_ids: 'json=[]',
      force_push_deploy_keys: 'boolean=false',
      merge_limited: 'boolean=false',
      merge_user_ids: 'json=[]',
      merge_team_ids: 'json=[]',
      status_check: 'boolean=false',
      status_check_contexts: 'json=null',
      required_approvals: 'integer=0',
      approvals_limited: 'boolean=false',
      approvals_user_ids: 'json=[]',
      approvals_team_ids: 'json=[]',
      block_on_rejected_reviews: 'boolean=false',
      block_on_official_review_requests: 'boolean=false',
      block_on_outdated_branch: 'boolean=false',
      dismiss_stale_approvals: 'boolean=false',
      ignore_stale_approvals: 'boolean=false',
      require_signed_commits: 'boolean=false',
      protected_file_patterns: 'text=',
      unprotected_file_patterns: 'text=',
      block_admin_merge_override: 'boolean=false',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('branch_protections', ['repository_id', 'rule_name'], { unique: true });
    await kit.table('tag_protections', {
      id: 'id',
      repository_id: 'ref:repositories',
      name_pattern: 'text',
      user_ids: 'json=[]',
      team_ids: 'json=[]',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('tag_protections', ['repository_id', 'name_pattern'], { unique: true });
    await kit.table('commit_statuses', {
      id: 'id',
      repository_id: 'ref:repositories',
      sha: 'text',
      context: 'text',
      state: 'text',
      target_url: 'text=',
      description: 'text=',
      creator_id: 'ref?:users',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('commit_statuses', ['repository_id', 'sha', 'id']);
    await kit.index('commit_statuses', ['repository_id', 'sha', 'context', 'id']);
    await kit.index('commit_statuses', ['creator_id']);
    await kit.table('ref_moves', {
      id: 'id',
      repository_id: 'ref:repositories',
      doer_id: 'integer',
      updates: 'json',
      push_options: 'json={}',
      process: 'text',
      created_at: 'time',
    });
    await kit.index('ref_moves', ['repository_id']);
  },
};
