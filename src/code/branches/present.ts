import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import type { Shape } from '../../http/schema.ts';
import { presentPayloadCommits } from '../commits/present.ts';
import type { Branch as BranchShape } from './schema.ts';

/** A branch and its newest commit. */
export interface Branch {
  /** Without `refs/heads/`. */
  readonly name: string;
  readonly commit: Commit;
}

/** The effect of a branch's protection on the caller. */
export interface BranchProtectionSummary {
  readonly ruleName: string;
  readonly requiredApprovals: number;
  readonly enableStatusCheck: boolean;
  /** Null when none were ever set. */
  readonly statusCheckContexts: readonly string[] | null;
  /** Whether the protection lets the caller push to the branch. */
  readonly canPush: boolean;
  /** Whether the caller may merge into the branch. */
  readonly canMerge: boolean;
}

/**
 * Branches on the wire, in their order.
 * @param protectionOf the protection of the branch with this name, if any
 */
export async function presentBranches(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  branches: readonly Branch[],
  protectionOf: (branch: string) => BranchProtectionSummary | undefined,
): Promise<Shape<typeof BranchShape>[]> {
  const commits = await presentPayloadCommits(
    context,
    repository,
    branches.map(({ commit }) => commit),
  );
  const { actor } = context;
  const canWrite = actor !== null && access.canWrite('code');
  const open = canWrite ? [] : branches.map(({ name }) => name).filter((name) => !protectionOf(name));
  const maintained = actor && (await context.provided.maintainedBranches(context, repository, open, actor));
  return branches.map(({ name }, index) => {
    const protection = protectionOf(name);
    return {
      name,
      commit: commits[index] ?? null,
      protected: protection !== undefined,
      required_approvals: protection?.requiredApprovals ?? 0,
      enable_status_check: protection?.enableStatusCheck ?? false,
      status_check_contexts: protection ? protection.statusCheckContexts && [...protection.statusCheckContexts] : [],
      user_can_push: protection?.canPush ?? (canWrite || (maintained?.has(name) ?? false)),
      user_can_merge: protection?.canMerge ?? canWrite,
      effective_branch_protection_name: access.isAdmin ? (protection?.ruleName ?? '') : '',
    };
  });
}
