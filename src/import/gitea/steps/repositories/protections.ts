import { tagMatcher } from '../../../../code/protections/patterns.ts';
import { InvalidPatternError } from '../../../../text/pattern.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Branch protection rules. */
export const branchProtections: Step = {
  name: 'branch protections',
  table: 'protected_branch',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id'))) continue;
      const list = (column: string) => JSON.stringify(row.ids(column));
      batch.add('branch_protections', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        rule_name: row.line('branch_name'),
        priority: row.integer('priority'),
        can_push: row.flag('can_push'),
        push_limited: row.flag('enable_whitelist'),
        push_user_ids: list('whitelist_user_i_ds'),
        push_team_ids: list('whitelist_team_i_ds'),
        push_deploy_keys: row.flag('whitelist_deploy_keys'),
        can_force_push: row.flag('can_force_push'),
        force_push_limited: row.flag('enable_force_push_allowlist'),
        force_push_user_ids: list('force_push_allowlist_user_i_ds'),
        force_push_team_ids: list('force_push_allowlist_team_i_ds'),
        force_push_deploy_keys: row.flag('force_push_allowlist_deploy_keys'),
        merge_limited: row.flag('enable_merge_whitelist'),
        merge_user_ids: list('merge_whitelist_user_i_ds'),
        merge_team_ids: list('merge_whitelist_team_i_ds'),
        status_check: row.flag('enable_status_check'),
        status_check_contexts: JSON.stringify(Array.isArray(row.json('status_check_contexts')) ? row.texts('status_check_contexts') : null),
        required_approvals: Math.max(0, row.integer('required_approvals')),
        approvals_limited: row.flag('enable_approvals_whitelist'),
        approvals_user_ids: list('approvals_whitelist_user_i_ds'),
        approvals_team_ids: list('approvals_whitelist_team_i_ds'),
        block_on_rejected_reviews: row.flag('block_on_rejected_reviews'),
        block_on_official_review_requests: row.flag('block_on_official_review_requests'),
        block_on_outdated_branch: row.flag('block_on_outdated_branch'),
        dismiss_stale_approvals: row.flag('dismiss_stale_approvals'),
        ignore_stale_approvals: row.flag('ignore_stale_approvals'),
        require_signed_commits: row.flag('require_signed_commits'),
        protected_file_patterns: row.text('protected_file_patterns'),
        unprotected_file_patterns: row.text('unprotected_file_patterns'),
        block_admin_merge_override: row.flag('block_admin_merge_override') || row.flag('apply_to_admins'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** Tag protection rules. */
export const tagProtections: Step = {
  name: 'tag protections',
  table: 'protected_tag',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id'))) continue;
      batch.add('tag_protections', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        name_pattern: tagPattern(row, batch),
        user_ids: JSON.stringify(row.ids('allowlist_user_i_ds')),
        team_ids: JSON.stringify(row.ids('allowlist_team_i_ds')),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** An invalid pattern protects all tags rather than none. */
function tagPattern(row: Row, batch: Batch): string {
  const pattern = row.line('name_pattern');
  try {
    tagMatcher(pattern);
    return pattern;
  } catch (error) {
    if (!(error instanceof InvalidPatternError)) throw error;
    batch.note(`tag protection ${row.id}`, `its pattern ${pattern} cannot be used: it protects all tags now`);
    return '*';
  }
}
