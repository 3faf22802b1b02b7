import type { Repository } from '../../../access/find-repository.ts';
import type { BranchProtection } from '../../../code/protections/schema.ts';
import type { FormFields } from '../../../http/bodies/fields.ts';
import type { Shape } from '../../../http/schema.ts';
import { checkBox, field, textArea } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';

/** A rule as the API has it. */
export type ProtectionShape = Shape<typeof BranchProtection>;

const PUSH = ['enable_push', 'enable_push_whitelist', 'push_whitelist_deploy_keys'] as const;
const FORCE_PUSH = ['enable_force_push', 'enable_force_push_allowlist', 'force_push_allowlist_deploy_keys'] as const;
const REVIEWS = [
  'block_on_rejected_reviews',
  'block_on_official_review_requests',
  'block_on_outdated_branch',
  'dismiss_stale_approvals',
  'ignore_stale_approvals',
] as const;
const OTHERS = ['require_signed_commits', 'block_admin_merge_override'] as const;
const SWITCHES = [
  ...[...PUSH, ...FORCE_PUSH, ...REVIEWS, ...OTHERS],
  ...(['enable_merge_whitelist', 'enable_approvals_whitelist', 'enable_status_check'] as const),
];
const USERS = [
  'push_whitelist_usernames',
  'force_push_allowlist_usernames',
  'merge_whitelist_usernames',
  'approvals_whitelist_username',
] as const;
const TEAMS = ['push_whitelist_teams', 'force_push_allowlist_teams', 'merge_whitelist_teams', 'approvals_whitelist_teams'] as const;
const PATTERNS = ['protected_file_patterns', 'unprotected_file_patterns'] as const;

type Switch = (typeof SWITCHES)[number];
type Names = (typeof USERS)[number] | (typeof TEAMS)[number];

/** The values of a rule's form. */
export function readProtection(fields: FormFields): Partial<ProtectionShape> {
  const lines = (name: string, separator: RegExp) =>
    (fields.get(name) ?? '')
      .split(separator)
      .map((text) => text.trim())
      .filter((text) => text !== '');
  return {
    rule_name: fields.get('rule_name')?.trim() ?? '',
    ...Object.fromEntries(SWITCHES.map((name) => [name, fields.get(name) === 'on'])),
    ...Object.fromEntries([...USERS, ...TEAMS].map((name) => [name, lines(name, /,/)])),
    ...Object.fromEntries(PATTERNS.map((name) => [name, fields.get(name) ?? ''])),
    status_check_contexts: lines('status_check_contexts', /\n/),
    required_approvals: Math.min(Number(fields.get('required_approvals')) || 0, 1_000_000),
  };
}

/** The fields of a rule. */
export function protectionFields(view: View, { owner }: Repository, shown: Partial<ProtectionShape>): Html {
  const text = view.text.manage.protection;
  const box = (name: Switch) => checkBox({ name, label: text[name], isChecked: shown[name] ?? false });
  const names = (name: Names, label: string) => field({ name, label, value: (shown[name] ?? []).join(', ') });
  const group = (legend: string, content: readonly Html[]) => html`<fieldset><legend>${legend}</legend>${content}</fieldset>`;
  const people = (index: 0 | 1 | 2 | 3) => [
    names(USERS[index], text.users),
    ...(owner.type === 'organization' ? [names(TEAMS[index], text.teams)] : []),
  ];
  const labelled = (index: 0 | 1 | 2 | 3) => html`${people(index)}`;
  const approvals = field({
    name: 'required_approvals',
    label: text.required_approvals,
    type: 'number',
    value: String(shown.required_approvals ?? 0),
  });
  const checks = textArea({
    name: 'status_check_contexts',
    label: text.status_check_contexts,
    value: (shown.status_check_contexts ?? []).join('\n'),
    rows: 3,
  });
  const patterns = PATTERNS.map((name) => field({ name, label: text[name], value: shown[name] ?? '', hint: text.patternsHint }));
  return html`${group(text.pushing, [...PUSH.map(box), labelled(0)])}
${group(text.forcePushing, [...FORCE_PUSH.map(box), labelled(1)])}
${group(text.merging, [box('enable_merge_whitelist'), labelled(2), box('enable_status_check'), checks])}
${group(text.reviews, [approvals, box('enable_approvals_whitelist'), labelled(3), ...REVIEWS.map(box)])}
${group(text.others, [...OTHERS.map(box), ...patterns])}`;
}
