import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { only } from '../../http/only.ts';
import type { Shape } from '../../http/schema.ts';
import { branchRules, mayMerge, mayPush, pusherOf, rulesFor } from '../protections/rules.ts';
import { type Branch, type BranchProtectionSummary, presentBranches } from './present.ts';
import type { Branch as BranchShape } from './schema.ts';

/** The effect of each branch's protection on the caller; the rules are read once. */
export async function protectionSummaries(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  branches: readonly Pick<Branch, 'name'>[],
): Promise<(branch: string) => BranchProtectionSummary | undefined> {
  const rules = await branchRules(context.db, repository.id);
  if (rules.length === 0) return () => undefined;
  const caller = await pusherOf(context, repository, context.actor, access);
  const names = branches.map(({ name }) => name);
  const found = await rulesFor(context, rules, names);
  const byName = new Map(names.map((name, at) => [name, found[at]]));
  return (branch) => {
    const rule = byName.get(branch);
    return (
      rule && {
        ruleName: rule.rule_name,
        requiredApprovals: rule.required_approvals,
        enableStatusCheck: rule.status_check,
        statusCheckContexts: rule.status_check_contexts,
        canPush: context.actor !== null && mayPush(rule, caller),
        canMerge: context.actor !== null && mayMerge(rule, caller),
      }
    );
  };
}

/** One branch on the wire, with its protection. */
export async function presentBranch(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  branch: Branch,
): Promise<Shape<typeof BranchShape>> {
  const summaryOf = await protectionSummaries(context, repository, access, [branch]);
  return only(await presentBranches(context, repository, access, [branch], summaryOf));
}
