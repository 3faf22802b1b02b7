import { type RepositoryAccess, repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { branchRule, mayMerge, pusherOf } from '../../code/protections/rules.ts';
import { signingRefusal } from '../../code/signing/signing-for.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { BranchProtection } from '../../database/tables/code.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { refuseWhileBlocked } from '../../issues/dependencies/dependencies.ts';
import { isDraftTitle } from '../../issues/present.ts';
import type { Pull } from '../find.ts';
import { type Blocker, blockers, reviewBlockers } from './blockers.ts';
import { tryAgainLater } from './checked-pull.ts';
import { mergeSigning } from './signing.ts';

/** A merge as the rules see it: now, scheduled, or done with git. */
export interface MergeAttempt {
  readonly kind: 'now' | 'automatic' | 'manual';
  /** Administrators of the repository bypass its protections, if these allow it. */
  readonly force: boolean;
}

/** The messages for clients. */
const REASONS: Readonly<Record<Blocker['kind'], string>> = {
  checks: 'Not all required status checks successful',
  approvals: 'Does not have enough approvals',
  rejected: 'There are requested changes',
  requests: 'There are official review requests',
  outdated: 'The head branch is behind the base branch',
  'protected-files': 'Changed protected files',
};

/** Whether a user may merge a pull request. */
export async function mayMergePull(context: Context, { issue, base_branch: branch }: Pull, user: User): Promise<boolean> {
  const { repository } = issue;
  const access = await repositoryAccess(context, repository, user);
  const rule = await branchRule(context, repository, branch);
  return rule ? mayMerge(rule, await pusherOf(context, repository, user, access)) : access.canWrite('code');
}

/**
 * Refuses a pull request that may not be merged now.
 * @param pull with its mergeability known
 * @throws HttpError 404 when it is closed, 405 with the reason, 412 when others block it
 */
export async function requireMergeable(context: Context, pull: Pull, { kind, force }: MergeAttempt): Promise<void> {
  const { issue } = pull;
  const actor = signedInActor(context);
  if (pull.merged_commit_id !== '') throw refused('The PR is already merged');
  if (issue.is_closed) throw notFound();
  if (!(await mayMergePull(context, pull, actor))) throw refused('User not allowed to merge PR');
  if (kind === 'manual') return;
  if (isDraftTitle(context.settings.pulls.workInProgressPrefixes, issue.title)) throw refused('Work in progress PRs cannot be merged');
  if (pull.status !== 'mergeable' && pull.status !== 'empty') throw tryAgainLater();
  const rule = await branchRule(context, issue.repository, pull.base_branch);
  if (rule) {
    const access = await repositoryAccess(context, issue.repository, actor);
    const overrules = kind === 'automatic' || (force && mayOverrule(rule, access));
    if (!overrules) await refuseBlocked(blockers(context, pull, rule));
    if (rule.require_signed_commits) await requireSigning(context, pull);
  }
  await refuseWhileBlocked(context, issue);
}

/**
 * Checks again what may have changed in the database since {@link requireMergeable}: missing approvals and rejections.
 * @throws HttpError 405
 */
export async function requireStillReady(context: Context, pull: Pull, { force }: MergeAttempt): Promise<void> {
  const { repository } = pull.issue;
  const rule = await branchRule(context, repository, pull.base_branch);
  if (!rule || (force && mayOverrule(rule, await repositoryAccess(context, repository, signedInActor(context))))) return;
  await refuseBlocked(reviewBlockers(context, pull, rule));
}

/** The first blocker is the reason. */
async function refuseBlocked(found: AsyncIterable<Blocker>): Promise<void> {
  for await (const { kind } of found) throw refused(REASONS[kind]);
}

/** Whether a user may bypass a rule by force. */
export function mayOverrule({ block_admin_merge_override: isBlocked }: BranchProtection, { isAdmin }: RepositoryAccess): boolean {
  return isAdmin && !isBlocked;
}

async function requireSigning(context: Context, pull: Pull): Promise<void> {
  const folder = context.git.locate(pull.issue.repository);
  const sides = { base: pull.checked_base_id, head: pull.head_id };
  const refusal = await signingRefusal(context, folder, mergeSigning(context, pull, sides));
  if (refusal) throw refused(`wont sign: ${refusal}`);
}

function refused(reason: string): HttpError {
  return new HttpError(405, reason);
}
