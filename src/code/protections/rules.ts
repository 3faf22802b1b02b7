import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { BranchProtection, TagProtection } from '../../database/tables/code.ts';
import type { RepositoryAccess } from '../../repositories/access.ts';
import type { Repository } from '../../repositories/find.ts';
import { branchMatcher, isPattern, tagMatcher } from './patterns.ts';

/** Who wants to change a ref. */
export interface Pusher {
  readonly user: User | null;
  readonly access: RepositoryAccess;
  /** A key of the repository stands in for a user: only what it may do counts. */
  readonly deployKey?: { readonly canWrite: boolean };
}

/** The rules of a repository in the order in which they are asked: by priority, plain names before patterns, older before newer. */
export async function branchRules(db: Db, repositoryId: number): Promise<BranchProtection[]> {
  const rules = await db.selectFrom('branch_protections').selectAll().where('repository_id', '=', repositoryId).orderBy('id').execute();
  return rules.sort(
    (a, b) => a.priority - b.priority || Number(isPattern(a.rule_name)) - Number(isPattern(b.rule_name)) || a.created_at - b.created_at,
  );
}

/** The rule that holds for a branch: the first that matches. */
export function ruleFor(rules: readonly BranchProtection[], branch: string): BranchProtection | undefined {
  return rules.find(({ rule_name }) => branchMatcher(rule_name)(branch));
}

/** The rule that holds for a branch. */
export async function branchRule(
  context: Pick<Context, 'db'>,
  repository: Repository,
  branch: string,
): Promise<BranchProtection | undefined> {
  return ruleFor(await branchRules(context.db, repository.id), branch);
}

/** Whether a rule lets somebody push; whether they may write at all is asked elsewhere too. */
export async function mayPush(context: Pick<Context, 'db'>, rule: BranchProtection, { user, access, deployKey }: Pusher): Promise<boolean> {
  if (!rule.can_push) return false;
  if (deployKey) return !rule.push_limited || rule.push_deploy_keys;
  if (!rule.push_limited) return access.canWrite('code');
  return isListed(context, user, rule.push_user_ids, rule.push_team_ids);
}

/** Whether a rule lets somebody rewrite the branch: that takes the right to push as well. */
export async function mayForcePush(context: Pick<Context, 'db'>, rule: BranchProtection, pusher: Pusher): Promise<boolean> {
  if (!rule.can_force_push || !(await mayPush(context, rule, pusher))) return false;
  if (!rule.force_push_limited) return true;
  if (pusher.deployKey) return rule.force_push_deploy_keys;
  return isListed(context, pusher.user, rule.force_push_user_ids, rule.force_push_team_ids);
}

/** Whether a rule lets somebody merge pull requests into the branch. */
export async function mayMerge(context: Pick<Context, 'db'>, rule: BranchProtection, { user, access }: Pusher): Promise<boolean> {
  if (!rule.merge_limited) return access.canWrite('code');
  return isListed(context, user, rule.merge_user_ids, rule.merge_team_ids);
}

/** Whether somebody's reviews count towards the approvals that a rule wants. */
export async function isOfficialReviewer(context: Pick<Context, 'db'>, rule: BranchProtection, { user, access }: Pusher): Promise<boolean> {
  if (!rule.approvals_limited) return access.canWrite('code');
  return isListed(context, user, rule.approvals_user_ids, rule.approvals_team_ids);
}

/** The rules that protect tags. */
export async function tagRules(db: Db, repositoryId: number): Promise<TagProtection[]> {
  return await db.selectFrom('tag_protections').selectAll().where('repository_id', '=', repositoryId).orderBy('id').execute();
}

/** Whether somebody may make, move and delete a tag: one rule that lets them is enough, and one that does not stops them otherwise. */
export async function mayControlTag(
  context: Pick<Context, 'db'>,
  rules: readonly TagProtection[],
  tag: string,
  user: User | null,
): Promise<boolean> {
  let allowed = true;
  for (const rule of rules) {
    if (!tagMatcher(rule.name_pattern)(tag)) continue;
    allowed = await isListed(context, user, rule.user_ids, rule.team_ids);
    if (allowed) return true;
  }
  return allowed;
}

async function isListed(
  { db }: Pick<Context, 'db'>,
  user: User | null,
  userIds: readonly number[],
  teamIds: readonly number[],
): Promise<boolean> {
  if (!user) return false;
  if (userIds.includes(user.id)) return true;
  if (teamIds.length === 0) return false;
  const row = await db
    .selectFrom('team_members')
    .select('team_id')
    .where('user_id', '=', user.id)
    .where('team_id', 'in', teamIds)
    .executeTakeFirst();
  return row !== undefined;
}
