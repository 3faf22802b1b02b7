import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { BranchProtection, TagProtection } from '../../database/tables/code.ts';
import { only } from '../../http/only.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { Names } from './allow-lists.ts';
import { isPattern } from './patterns.ts';
import type { BranchProtection as BranchProtectionShape, TagProtection as TagProtectionShape } from './schema.ts';

/** Rules that protect branches on the wire, in their order. */
export async function presentBranchProtections(
  context: Context,
  repository: Repository,
  rules: readonly BranchProtection[],
): Promise<Shape<typeof BranchProtectionShape>[]> {
  const names = await Names.of(
    context,
    repository,
    rules.flatMap((rule) => [...rule.push_user_ids, ...rule.force_push_user_ids, ...rule.merge_user_ids, ...rule.approvals_user_ids]),
    rules.flatMap((rule) => [...rule.push_team_ids, ...rule.force_push_team_ids, ...rule.merge_team_ids, ...rule.approvals_team_ids]),
  );
  return rules.map((rule) => ({
    branch_name: isPattern(rule.rule_name) ? '' : rule.rule_name,
    rule_name: rule.rule_name,
    priority: rule.priority,
    enable_push: rule.can_push,
    enable_push_whitelist: rule.push_limited,
    push_whitelist_usernames: names.users(rule.push_user_ids),
    push_whitelist_teams: names.teams(rule.push_team_ids),
    push_whitelist_deploy_keys: rule.push_deploy_keys,
    enable_force_push: rule.can_force_push,
    enable_force_push_allowlist: rule.force_push_limited,
    force_push_allowlist_usernames: names.users(rule.force_push_user_ids),
    force_push_allowlist_teams: names.teams(rule.force_push_team_ids),
    force_push_allowlist_deploy_keys: rule.force_push_deploy_keys,
    enable_merge_whitelist: rule.merge_limited,
    merge_whitelist_usernames: names.users(rule.merge_user_ids),
    merge_whitelist_teams: names.teams(rule.merge_team_ids),
    enable_status_check: rule.status_check,
    status_check_contexts: rule.status_check_contexts,
    required_approvals: rule.required_approvals,
    enable_approvals_whitelist: rule.approvals_limited,
    approvals_whitelist_username: names.users(rule.approvals_user_ids),
    approvals_whitelist_teams: names.teams(rule.approvals_team_ids),
    block_on_rejected_reviews: rule.block_on_rejected_reviews,
    block_on_official_review_requests: rule.block_on_official_review_requests,
    block_on_outdated_branch: rule.block_on_outdated_branch,
    dismiss_stale_approvals: rule.dismiss_stale_approvals,
    ignore_stale_approvals: rule.ignore_stale_approvals,
    require_signed_commits: rule.require_signed_commits,
    protected_file_patterns: rule.protected_file_patterns,
    unprotected_file_patterns: rule.unprotected_file_patterns,
    block_admin_merge_override: rule.block_admin_merge_override,
    created_at: wireTime(rule.created_at),
    updated_at: wireTime(rule.updated_at),
  }));
}

/** One rule; see {@link presentBranchProtections}. */
export async function presentBranchProtection(
  context: Context,
  repository: Repository,
  rule: BranchProtection,
): Promise<Shape<typeof BranchProtectionShape>> {
  return only(await presentBranchProtections(context, repository, [rule]));
}

/** Rules that protect tags on the wire, in their order. */
export async function presentTagProtections(
  context: Context,
  repository: Repository,
  rules: readonly TagProtection[],
): Promise<Shape<typeof TagProtectionShape>[]> {
  const names = await Names.of(
    context,
    repository,
    rules.flatMap(({ user_ids }) => user_ids),
    rules.flatMap(({ team_ids }) => team_ids),
  );
  return rules.map((rule) => ({
    id: rule.id,
    name_pattern: rule.name_pattern,
    whitelist_usernames: names.users(rule.user_ids),
    whitelist_teams: names.teams(rule.team_ids),
    created_at: wireTime(rule.created_at),
    updated_at: wireTime(rule.updated_at),
  }));
}

/** One rule; see {@link presentTagProtections}. */
export async function presentTagProtection(
  context: Context,
  repository: Repository,
  rule: TagProtection,
): Promise<Shape<typeof TagProtectionShape>> {
  return only(await presentTagProtections(context, repository, [rule]));
}
