import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { BranchProtection, TagProtection } from '../../database/tables/code.ts';
import { type Matching, matchPatterns } from './match.ts';
import { isPattern } from './patterns.ts';

/** The user who wants to change a ref. */
export interface Pusher {
  readonly user: User | null;
  readonly access: RepositoryAccess;
  /** The teams of the repository's owner that the user is in. */
  readonly teamIds: ReadonlySet<number>;
  /** A deploy key is used instead of a user's: only its rights count. */
  readonly deployKey?: { readonly canWrite: boolean };
}

const teamsOf = prepared((db, organizationId: number, userId: number) =>
  db.selectFrom('team_members').select('team_id').where('organization_id', '=', organizationId).where('user_id', '=', userId),
);

/** A user with the facts that the rules check. */
export async function pusherOf(
  { db }: Pick<Context, 'db'>,
  { owner }: Repository,
  user: User | null,
  access: RepositoryAccess,
  deployKey?: Pusher['deployKey'],
): Promise<Pusher> {
  const rows = user && owner.type === 'organization' && !deployKey ? await teamsOf(db, owner.id, user.id) : [];
  return { user, access, teamIds: new Set(rows.map(({ team_id }) => team_id)), ...(deployKey && { deployKey }) };
}

const rulesOf = prepared((db, repositoryId: number) =>
  db.selectFrom('branch_protections').selectAll().where('repository_id', '=', repositoryId).orderBy('id'),
);

/** The rules of a repository in the order of checking: by priority, plain names before patterns, older before newer. */
export async function branchRules(db: Db, repositoryId: number): Promise<BranchProtection[]> {
  const rules = await rulesOf(db, repositoryId);
  return rules.sort(
    (a, b) => a.priority - b.priority || Number(isPattern(a.rule_name)) - Number(isPattern(b.rule_name)) || a.created_at - b.created_at,
  );
}

/**
 * The rule for each of the branches: the first that matches.
 * @throws HttpError 422 where matching takes too long
 */
export async function rulesFor(
  context: Matching,
  rules: readonly BranchProtection[],
  branches: readonly string[],
): Promise<(BranchProtection | undefined)[]> {
  const patterns = rules.map(({ rule_name }) => rule_name);
  const found = await matchPatterns(context, { kind: 'branch', patterns, texts: branches });
  return found.map(([at]) => (at === undefined ? undefined : rules[at]));
}

/** The rule for a branch. @throws as {@link rulesFor} */
export async function ruleFor(
  context: Matching,
  rules: readonly BranchProtection[],
  branch: string,
): Promise<BranchProtection | undefined> {
  return (await rulesFor(context, rules, [branch]))[0];
}

/** The rule for a branch. @throws as {@link rulesFor} */
export async function branchRule(
  context: Matching & Pick<Context, 'db'>,
  repository: Repository,
  branch: string,
): Promise<BranchProtection | undefined> {
  return ruleFor(context, await branchRules(context.db, repository.id), branch);
}

/** Whether a rule allows a user to push; write access is checked separately. */
export function mayPush(rule: BranchProtection, pusher: Pusher): boolean {
  if (!rule.can_push) return false;
  if (pusher.deployKey) return !rule.push_limited || rule.push_deploy_keys;
  if (!rule.push_limited) return pusher.access.canWrite('code');
  return isListed(pusher, rule.push_user_ids, rule.push_team_ids);
}

/** Whether a rule allows a user to rewrite the branch: that also needs the right to push. */
export function mayForcePush(rule: BranchProtection, pusher: Pusher): boolean {
  if (!rule.can_force_push || !mayPush(rule, pusher)) return false;
  if (!rule.force_push_limited) return true;
  if (pusher.deployKey) return rule.force_push_deploy_keys;
  return isListed(pusher, rule.force_push_user_ids, rule.force_push_team_ids);
}

/** Whether a rule allows a user to merge pull requests into the branch. */
export function mayMerge(rule: BranchProtection, pusher: Pusher): boolean {
  if (!rule.merge_limited) return pusher.access.canWrite('code');
  return isListed(pusher, rule.merge_user_ids, rule.merge_team_ids);
}

/** Whether a user's reviews count towards the approvals that a rule requires. */
export function isOfficialReviewer(rule: BranchProtection, pusher: Pusher): boolean {
  if (!rule.approvals_limited) return pusher.access.canWrite('code');
  return isListed(pusher, rule.approvals_user_ids, rule.approvals_team_ids);
}

/** The rules that protect tags. */
export async function tagRules(db: Db, repositoryId: number): Promise<TagProtection[]> {
  return await db.selectFrom('tag_protections').selectAll().where('repository_id', '=', repositoryId).orderBy('id').execute();
}

/**
 * The first of the tags that a user may not create, move or delete: of the rules that match one, a single one that allows it is enough. A
 * deploy key is on no list.
 * @throws HttpError 422 where matching takes too long
 */
export async function firstClosedTag(
  context: Matching,
  rules: readonly TagProtection[],
  tags: readonly string[],
  pusher: Pusher,
): Promise<string | undefined> {
  const patterns = rules.map(({ name_pattern }) => name_pattern);
  const found = await matchPatterns(context, { kind: 'tag', patterns, texts: tags });
  const lets = ({ user_ids, team_ids }: TagProtection) => !pusher.deployKey && isListed(pusher, user_ids, team_ids);
  return tags.find((_, index) => {
    const matching = (found[index] ?? []).flatMap((at) => rules[at] ?? []);
    return matching.length > 0 && !matching.some(lets);
  });
}

function isListed({ user, teamIds }: Pusher, users: readonly number[], teams: readonly number[]): boolean {
  return user !== null && (users.includes(user.id) || teams.some((id) => teamIds.has(id)));
}
