import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isUniqueViolation } from '../../database/database.ts';
import type { BranchProtection, BranchProtectionUpdate } from '../../database/tables/code.ts';
import { badRequest, forbidden, notFound, unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { onlyReviewers, onlyTeamsWithAccess, onlyWriters, teamIdsByName, userIdsByName } from './allow-lists.ts';
import type { CreateBranchProtectionOption, EditBranchProtectionOption } from './schema.ts';
import { refuseLongRules } from './total-length.ts';

/** Maximum number of rules of one repository: each push checks all of them. */
const MAX_RULES = 1000;
/** Maximum number of checks that one rule requires. */
const MAX_CONTEXTS = 1000;

type Fields = Shape<typeof EditBranchProtectionOption>;

/** The fields that are stored as given. */
const PLAIN = {
  enable_merge_whitelist: 'merge_limited',
  enable_status_check: 'status_check',
  enable_approvals_whitelist: 'approvals_limited',
  block_on_rejected_reviews: 'block_on_rejected_reviews',
  block_on_official_review_requests: 'block_on_official_review_requests',
  block_on_outdated_branch: 'block_on_outdated_branch',
  dismiss_stale_approvals: 'dismiss_stale_approvals',
  ignore_stale_approvals: 'ignore_stale_approvals',
  require_signed_commits: 'require_signed_commits',
  protected_file_patterns: 'protected_file_patterns',
  unprotected_file_patterns: 'unprotected_file_patterns',
  block_admin_merge_override: 'block_admin_merge_override',
} as const;

/** The fields with names, and the columns with their ids. */
const USER_LISTS = {
  push_whitelist_usernames: 'push_user_ids',
  force_push_allowlist_usernames: 'force_push_user_ids',
  merge_whitelist_usernames: 'merge_user_ids',
  approvals_whitelist_username: 'approvals_user_ids',
} as const;
const TEAM_LISTS = {
  push_whitelist_teams: 'push_team_ids',
  force_push_allowlist_teams: 'force_push_team_ids',
  merge_whitelist_teams: 'merge_team_ids',
  approvals_whitelist_teams: 'approvals_team_ids',
} as const;

/** The rule of this name; undefined if there is none. */
export async function findBranchProtection(
  { db }: Pick<Context, 'db'>,
  repository: Repository,
  ruleName: string,
): Promise<BranchProtection | undefined> {
  return await db
    .selectFrom('branch_protections')
    .selectAll()
    .where('repository_id', '=', repository.id)
    .where('rule_name', '=', ruleName)
    .executeTakeFirst();
}

/** @throws HttpError 404 */
export async function getBranchProtection(context: Context, repository: Repository, ruleName: string): Promise<BranchProtection> {
  const rule = await findBranchProtection(context, repository, ruleName);
  if (!rule) throw notFound();
  return rule;
}

/** @throws HttpError 400, 403 when there is such a rule, 422 for unknown names */
export async function createBranchProtection(
  context: Context,
  repository: Repository,
  fields: Shape<typeof CreateBranchProtectionOption>,
): Promise<BranchProtection> {
  const ruleName = fields.rule_name || fields.branch_name || '';
  if (ruleName === '') throw badRequest('both rule_name and branch_name are empty');
  const exists = () => forbidden('Branch protection already exist');
  const created = inTransaction(context, async (context) => {
    if (await findBranchProtection(context, repository, ruleName)) throw exists();
    const { count, highest } = await context.db
      .selectFrom('branch_protections')
      .select((select) => [select.fn.countAll().as('count'), select.fn.max('priority').as('highest')])
      .where('repository_id', '=', repository.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_RULES) throw unprocessable(`a repository has at most ${MAX_RULES} branch protections`);
    const { enable_push, enable_force_push, ...rest } = fields;
    const canPush = enable_push ?? false;
    // Fields that depend on the right to push are ignored without it.
    const columns = await columnsOf(context, repository, {
      ...rest,
      enable_push: canPush,
      enable_force_push: canPush && (enable_force_push ?? false),
    });
    const time = now();
    const rule = await context.db
      .insertInto('branch_protections')
      .values({
        repository_id: repository.id,
        rule_name: ruleName,
        push_user_ids: '[]',
        push_team_ids: '[]',
        force_push_user_ids: '[]',
        force_push_team_ids: '[]',
        merge_user_ids: '[]',
        merge_team_ids: '[]',
        approvals_user_ids: '[]',
        approvals_team_ids: '[]',
        status_check_contexts: 'null',
        ...columns,
        priority: fields.priority || Math.min(Number(highest ?? 0) + 1, Number.MAX_SAFE_INTEGER),
        created_at: time,
        updated_at: time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await refuseLongRules(context, repository, columns);
    return rule;
  });
  return await created.catch((error: unknown) => {
    throw isUniqueViolation(error) ? exists() : error;
  });
}

/** @throws HttpError 404, 422 for unknown names */
export async function editBranchProtection(
  context: Context,
  repository: Repository,
  ruleName: string,
  fields: Fields,
): Promise<BranchProtection> {
  return await inTransaction(context, async (context) => {
    const rule = await getBranchProtection(context, repository, ruleName);
    const columns = await columnsOf(context, repository, fields);
    const edited = await context.db
      .updateTable('branch_protections')
      .set({ ...columns, ...(fields.priority !== undefined && { priority: fields.priority }), updated_at: now() })
      .where('id', '=', rule.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await refuseLongRules(context, repository, columns);
    return edited;
  });
}

/** @throws HttpError 404 */
export async function deleteBranchProtection(context: Context, repository: Repository, ruleName: string): Promise<void> {
  const rule = await getBranchProtection(context, repository, ruleName);
  await context.db.deleteFrom('branch_protections').where('id', '=', rule.id).execute();
}

/** Renumbers the rules in this order; ids of other repositories are ignored. */
export async function orderBranchProtections(context: Context, repository: Repository, ids: readonly number[]): Promise<void> {
  if (ids.length > MAX_RULES) throw unprocessable(`a repository has at most ${MAX_RULES} branch protections`);
  await inTransaction(context, async ({ db }) => {
    for (const [index, id] of ids.entries()) {
      await db
        .updateTable('branch_protections')
        .set({ priority: index + 1 })
        .where('id', '=', id)
        .where('repository_id', '=', repository.id)
        .execute();
    }
  });
}

/** The columns that the given fields change. */
async function columnsOf(context: Context, repository: Repository, fields: Fields): Promise<BranchProtectionUpdate> {
  const columns: Record<string, unknown> = { ...pushColumns(fields), ...forcePushColumns(fields) };
  for (const [field, column] of Object.entries(PLAIN)) {
    const value = fields[field as keyof typeof PLAIN];
    if (value !== undefined) columns[column] = value;
  }
  if (fields.required_approvals !== undefined && fields.required_approvals >= 0) columns.required_approvals = fields.required_approvals;
  if (fields.status_check_contexts !== undefined) {
    if (fields.status_check_contexts.length > MAX_CONTEXTS) throw unprocessable(`more than ${MAX_CONTEXTS} status check contexts`);
    columns.status_check_contexts = JSON.stringify(fields.status_check_contexts);
  }
  for (const [field, column] of Object.entries(USER_LISTS)) {
    const names = fields[field as keyof typeof USER_LISTS];
    if (names === undefined) continue;
    const ids = await userIdsByName(context, names);
    columns[column] = JSON.stringify(await (column === 'approvals_user_ids' ? onlyReviewers : onlyWriters)(context, repository, ids));
  }
  for (const [field, column] of Object.entries(TEAM_LISTS)) {
    const names = fields[field as keyof typeof TEAM_LISTS];
    if (names === undefined) continue;
    const ids = await teamIdsByName(context, repository, names);
    columns[column] = JSON.stringify(await onlyTeamsWithAccess(context, repository, ids));
  }
  return columns as BranchProtectionUpdate;
}

/** The list only counts together with `enable_push`, as clients send both. */
function pushColumns(fields: Fields): BranchProtectionUpdate {
  if (fields.enable_push === undefined) return {};
  if (!fields.enable_push) return { can_push: false, push_limited: false, push_deploy_keys: false };
  const limited = fields.enable_push_whitelist;
  if (limited === undefined) return { can_push: true };
  if (!limited) return { can_push: true, push_limited: false, push_deploy_keys: false };
  const keys = fields.push_whitelist_deploy_keys;
  return { can_push: true, push_limited: true, ...(keys !== undefined && { push_deploy_keys: keys }) };
}

function forcePushColumns(fields: Fields): BranchProtectionUpdate {
  if (fields.enable_force_push === undefined) return {};
  if (!fields.enable_force_push) return { can_force_push: false, force_push_limited: false, force_push_deploy_keys: false };
  const limited = fields.enable_force_push_allowlist;
  if (limited === undefined) return { can_force_push: true };
  if (!limited) return { can_force_push: true, force_push_limited: false, force_push_deploy_keys: false };
  const keys = fields.force_push_allowlist_deploy_keys;
  return { can_force_push: true, force_push_limited: true, ...(keys !== undefined && { force_push_deploy_keys: keys }) };
}
