import { array, boolean, define, defineOption, int64, nullable, string, timestamp } from '../../http/schema.ts';

/** Characters of a name or a pattern in a list. */
const MAX_NAME = 1000;

const names = (description: string, goName?: string) => array(string({ maxLength: MAX_NAME }), { description, ...(goName && { goName }) });

/** The fields of a rule, created again for each shape. */
const ruleFields = () => ({
  priority: int64({ description: 'Of the rules that match a branch, the one with the lowest number holds.' }),
  enable_push: boolean({ description: 'Pushes are allowed.' }),
  enable_push_whitelist: boolean({ description: 'Only those listed may push.' }),
  push_whitelist_usernames: names('Users who may push.'),
  push_whitelist_teams: names('Teams that may push.'),
  push_whitelist_deploy_keys: boolean({ description: 'Deploy keys that may write may push.' }),
  enable_force_push: boolean({ description: 'Who may push may rewrite the branch.' }),
  enable_force_push_allowlist: boolean({ description: 'Only those listed may rewrite the branch.' }),
  force_push_allowlist_usernames: names('Users who may rewrite the branch.'),
  force_push_allowlist_teams: names('Teams that may rewrite the branch.'),
  force_push_allowlist_deploy_keys: boolean({ description: 'Deploy keys that may write may rewrite the branch.' }),
  enable_merge_whitelist: boolean({ description: 'Only those listed may merge.' }),
  merge_whitelist_usernames: names('Users who may merge.'),
  merge_whitelist_teams: names('Teams that may merge.'),
  enable_status_check: boolean({ description: 'A merge waits for checks.' }),
  status_check_contexts: names('The checks, by name or pattern.'),
  required_approvals: int64({ description: 'Approvals that a merge needs.' }),
  enable_approvals_whitelist: boolean({ description: 'Only approvals of those listed count.' }),
  approvals_whitelist_username: names('Users whose approvals count.', 'ApprovalsWhitelistUsernames'),
  approvals_whitelist_teams: names('Teams whose approvals count.'),
  block_on_rejected_reviews: boolean({ description: 'A review that asks for changes stops the merge.' }),
  block_on_official_review_requests: boolean({ description: 'An unanswered request for a review that counts stops the merge.' }),
  block_on_outdated_branch: boolean({ description: 'A branch that is behind is not merged.' }),
  dismiss_stale_approvals: boolean({ description: 'New commits take approvals back.' }),
  ignore_stale_approvals: boolean({ description: 'Approvals from before the newest commit do not count.' }),
  require_signed_commits: boolean({ description: 'Every commit needs a valid signature.' }),
  protected_file_patterns: string({
    maxLength: 65_536,
    description: 'Paths nobody changes by a push, as patterns separated by semicolons.',
  }),
  unprotected_file_patterns: string({
    maxLength: 65_536,
    description: 'Paths that every writer may change, as patterns separated by semicolons.',
  }),
  block_admin_merge_override: boolean({ description: 'Administrators are held to the rule as well.' }),
});

/** A rule that protects branches. */
export const BranchProtection = define(
  'BranchProtection',
  {
    branch_name: string({ description: 'The name of the rule, unless it is a pattern. Deprecated.' }),
    rule_name: string({ description: 'The name of a branch, or a pattern of names.' }),
    ...ruleFields(),
    status_check_contexts: nullable(names('The checks, by name or pattern.')),
    created_at: timestamp({ goName: 'Created', description: 'When it was made.' }),
    updated_at: timestamp({ goName: 'Updated', description: 'When it was changed last.' }),
  },
  { description: 'A rule that protects branches.' },
);

/** A new rule that protects branches. */
export const CreateBranchProtectionOption = defineOption(
  'CreateBranchProtectionOption',
  {
    branch_name: string({ maxLength: 1000, description: 'As `rule_name`, where that is not given. Deprecated.' }),
    rule_name: string({ maxLength: 1000, description: 'The name of a branch, or a pattern of names.' }),
    ...ruleFields(),
  },
  { description: 'A new rule that protects branches.' },
);

/** The changes of a rule that protects branches. */
export const EditBranchProtectionOption = defineOption('EditBranchProtectionOption', ruleFields(), {
  description: 'The changes of a rule; missing fields stay.',
});

/** A new order of the rules. */
export const UpdateBranchProtectionPriories = defineOption(
  'UpdateBranchProtectionPriories',
  { ids: array(int64(), { goName: 'IDs', description: 'The ids of rules, the most important first.' }) },
  { description: 'The order of the rules.' },
);

/** A rule that protects tags. */
export const TagProtection = define(
  'TagProtection',
  {
    id: int64({ description: 'The id of the rule.' }),
    name_pattern: string({ description: 'A pattern of names, or an expression between slashes.' }),
    whitelist_usernames: names('Users who may make, move and delete such tags.'),
    whitelist_teams: names('Teams that may.'),
    created_at: timestamp({ goName: 'Created', description: 'When it was made.' }),
    updated_at: timestamp({ goName: 'Updated', description: 'When it was changed last.' }),
  },
  { description: 'A rule that protects tags.' },
);

const tagFields = () => ({
  name_pattern: string({ maxLength: 1000, description: 'A pattern of names, or an expression (RE2) between slashes.' }),
  whitelist_usernames: names('Users who may make, move and delete such tags.'),
  whitelist_teams: names('Teams that may.'),
});

/** A new rule that protects tags. */
export const CreateTagProtectionOption = defineOption('CreateTagProtectionOption', tagFields(), {
  description: 'A new rule that protects tags.',
});

/** The changes of a rule that protects tags. */
export const EditTagProtectionOption = defineOption('EditTagProtectionOption', tagFields(), {
  description: 'The changes of a rule; missing fields stay.',
});
