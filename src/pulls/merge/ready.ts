import { type RepositoryAccess, repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { checkMatcher } from '../../code/protections/patterns.ts';
import { branchRule, mayMerge, pusherOf } from '../../code/protections/rules.ts';
import { signingRefusal } from '../../code/signing/signing-for.ts';
import { combinedState, latestStatuses, type StatusState } from '../../code/statuses/statuses.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { BranchProtection } from '../../database/tables/code.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { refuseWhileBlocked } from '../../issues/dependencies/dependencies.ts';
import { isDraftTitle } from '../../issues/present.ts';
import type { Pull } from '../find.ts';
import { findProtectedFiles } from '../mergeability/mergeability.ts';
import { approvals, hasOfficialRequests, isRejected } from '../reviews/find.ts';
import { tryAgainLater } from './checked-pull.ts';
import { mergeSigning } from './signing.ts';

/** A merge as the rules see it: now, as soon as they let it, or one that was done with git. */
export interface MergeWish {
  readonly kind: 'now' | 'automatic' | 'manual';
  /** Administrators of the repository bypass its protections, if these allow it. */
  readonly force: boolean;
}

/** Whether somebody may merge a pull request. */
export async function mayMergePull(context: Context, { issue, base_branch: branch }: Pull, user: User): Promise<boolean> {
  const { repository } = issue;
  const access = await repositoryAccess(context, repository, user);
  const rule = await branchRule(context, repository, branch);
  return rule ? mayMerge(rule, await pusherOf(context, repository, user, access)) : access.canWrite('code');
}

/**
 * Refuses what may not be merged now.
 * @param pull with its mergeability known
 * @throws HttpError 404 when it is closed, 405 with the reason, 412 when it waits for others
 */
export async function requireMergeable(context: Context, pull: Pull, { kind, force }: MergeWish): Promise<void> {
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
    const reason = overrules ? undefined : ((await missing(context, pull, rule)) ?? (await outdated(context, pull, rule)));
    if (reason !== undefined) throw refused(reason);
    if (rule.require_signed_commits) await requireSigning(context, pull);
  }
  await refuseWhileBlocked(context, issue);
}

/**
 * Refuses what nobody has found good, or what somebody has found bad since {@link requireMergeable}: all that is in the database alone.
 * @throws HttpError 405
 */
export async function requireStillReady(context: Context, pull: Pull, { force }: MergeWish): Promise<void> {
  const { repository } = pull.issue;
  const rule = await branchRule(context, repository, pull.base_branch);
  if (!rule || (force && mayOverrule(rule, await repositoryAccess(context, repository, signedInActor(context))))) return;
  const reason = await missing(context, pull, rule);
  if (reason !== undefined) throw refused(reason);
}

function mayOverrule({ block_admin_merge_override: isBlocked }: BranchProtection, { isAdmin }: RepositoryAccess): boolean {
  return isAdmin && !isBlocked;
}

/** What checks and reviews still lack. */
async function missing(context: Context, pull: Pull, rule: BranchProtection): Promise<string | undefined> {
  if (!(await haveChecksSucceeded(context, pull, rule))) return 'Not all required status checks successful';
  if (rule.required_approvals > 0 && (await approvals(context, pull, rule)) < rule.required_approvals) {
    return 'Does not have enough approvals';
  }
  if (rule.block_on_rejected_reviews && (await isRejected(context, pull))) return 'There are requested changes';
  if (rule.block_on_official_review_requests && (await hasOfficialRequests(context, pull))) return 'There are official review requests';
  return undefined;
}

async function outdated(context: Context, pull: Pull, rule: BranchProtection): Promise<string | undefined> {
  if (rule.block_on_outdated_branch && pull.commits_behind > 0) return 'The head branch is behind the base branch';
  if (pull.merge_base === '') return undefined;
  const range = { before: pull.merge_base, after: pull.head_id };
  // Not what is kept: the patterns may be others since.
  const files = await findProtectedFiles(context, pull.issue.repository, pull.base_branch, range);
  return files.length > 0 ? 'Changed protected files' : undefined;
}

/** Whether the checks that a rule requires have succeeded; without a rule none are required. */
export async function haveChecksSucceeded(context: Context, pull: Pull, rule: BranchProtection | undefined): Promise<boolean> {
  if (!rule?.status_check) return true;
  const statuses = await latestStatuses(context, pull.issue.repository, pull.head_id);
  return requiredState(statuses, rule.status_check_contexts ?? []) === 'success';
}

/** What the checks say together whose names match these patterns; each pattern has to have one, and without patterns all count. */
function requiredState(statuses: readonly { context: string; state: StatusState }[], patterns: readonly string[]): StatusState {
  if (patterns.length === 0) return combinedState(statuses.map(({ state }) => state));
  const matchers = patterns.map(checkMatcher);
  const required = statuses.filter(({ context }) => matchers.some((matches) => matches(context)));
  const state = combinedState(required.map((status) => status.state));
  const isComplete = matchers.every((matches) => required.some(({ context }) => matches(context)));
  return isComplete || state === 'failure' ? state : 'pending';
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
