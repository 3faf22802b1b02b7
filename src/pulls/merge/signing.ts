import { branchRule } from '../../code/protections/rules.ts';
import type { ServerCommit } from '../../code/signing/signing-for.ts';
import type { Context } from '../../context.ts';
import type { Pull } from '../find.ts';
import type { Sides } from '../mergeability/mergeability.ts';
import { approvals } from '../reviews/find.ts';

/** The merge of a pull request as the signing rules see it. */
export function mergeSigning(context: Context, pull: Pull, { base, head }: Sides): Extract<ServerCommit, { kind: 'merge' }> {
  const countApprovals = async () => {
    const rule = await branchRule(context, pull.issue.repository, pull.base_branch);
    return rule ? approvals(context, pull, rule) : 0;
  };
  return { kind: 'merge', base, head, approvals: countApprovals };
}
