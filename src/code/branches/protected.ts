import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Shape } from '../../http/schema.ts';
import { branchRules, mayMerge, mayPush, pusherOf, ruleFor } from '../protections/rules.ts';
import { type Branch, type BranchProtectionSummary, presentBranches } from './present.ts';
import type { Branch as BranchShape } from './schema.ts';

/** What the protection of each branch means to the caller; the rules are read once, however many branches are requested. */
export async function protectionSummaries(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
): Promise<(branch: string) => BranchProtectionSummary | undefined> {
  const rules = await branchRules(context.db, repository.id);
  if (rules.length === 0) return () => undefined;
  const caller = await pusherOf(context, repository, context.actor, access);
  return (branch) => {
    const rule = ruleFor(rules, branch);
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

/** One branch on the wire, with what protects it. */
export async function presentBranch(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  branch: Branch,
): Promise<Shape<typeof BranchShape>> {
  const [presented] = await presentBranches(context, repository, access, [branch], await protectionSummaries(context, repository, access));
  if (!presented) throw new Error('a branch was lost on its way');
  return presented;
}
