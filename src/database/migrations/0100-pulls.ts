import type { SchemaMigration } from './schema-kit.ts';

/** Pull requests, what their reviewers say, and merges that wait for their checks. */
export const pulls: SchemaMigration = {
  name: '0100-pulls',
  async up(kit) {
    await kit.table('pull_requests', {
      id: 'id',
      issue_id: 'ref:issues',
      repository_id: 'ref:repositories',
      number: 'integer',
      base_branch: 'text',
      head_repository_id: 'ref?:repositories',
      head_branch: 'text',
      flow: 'text=branch',
      head_id: 'text',
      merge_base: 'text',
      allow_maintainer_edit: 'boolean=false',
      status: 'text=checking',
      checked_base_id: 'text=',
      checked_head_id: 'text=',
      conflicted_files: 'json',
      changed_protected_files: 'json',
      commits_ahead: 'integer=0',
      commits_behind: 'integer=0',
      merged_commit_id: 'text=',
      merge_style: 'text=',
      merger_id: 'integer?',
    });
    await kit.index('pull_requests', ['issue_id'], { unique: true });
    await kit.index('pull_requests', ['repository_id', 'number'], { unique: true });
    await kit.index('pull_requests', ['repository_id', 'base_branch']);
    await kit.index('pull_requests', ['base_branch', 'repository_id'], { where: "merged_commit_id = ''" });
    await kit.index('pull_requests', ['head_repository_id', 'head_branch']);
    await kit.index('pull_requests', ['repository_id', 'merged_commit_id'], { where: "merged_commit_id <> ''" });
    await kit.index('pull_requests', ['status'], { where: "status = 'checking'" });
    await kit.table(
      'pull_auto_merges',
      {
        pull_id: 'ref:pull_requests',
        doer_id: 'ref:users',
        style: 'text',
        message: 'text=',
        delete_branch: 'boolean=false',
        created_at: 'time',
      },
      { primaryKey: ['pull_id'] },
    );
    await kit.index('pull_auto_merges', ['doer_id']);
    await kit.table(
      'pull_merges',
      {
        pull_id: 'ref:pull_requests',
        doer_id: 'integer',
        style: 'text',
        base_branch: 'text',
        head_id: 'text',
        commit_id: 'text',
        is_automatic: 'boolean=false',
        process: 'text',
        created_at: 'time',
      },
      { primaryKey: ['pull_id'] },
    );
    await kit.table('reviews', {
      id: 'id',
      issue_id: 'ref:issues',
      type: 'text',
      reviewer_id: 'integer?',
      reviewer_team_id: 'part?:teams',
      original_author: 'text=',
      original_author_id: 'integer=0',
      body: 'text=',
      is_official: 'boolean=false',
      commit_id: 'text=',
      is_stale: 'boolean=false',
      is_dismissed: 'boolean=false',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('reviews', ['issue_id', 'id']);
    await kit.index('reviews', ['reviewer_id', 'type', 'issue_id']);
    await kit.index('reviews', ['reviewer_team_id'], { where: 'reviewer_team_id is not null' });
    await kit.table(
      'code_comments',
      {
        comment_id: 'ref:comments',
        path: 'text',
        line: 'integer',
        diff_hunk: 'text=',
        current_line: 'integer?',
        anchor_id: 'text',
      },
      { primaryKey: ['comment_id'] },
    );
  },
};
