import { matchPatterns } from '../../code/protections/match.ts';
import { combinedState, latestStatuses, type StatusState } from '../../code/statuses/statuses.ts';
import type { Context } from '../../context.ts';
import type { BranchProtection } from '../../database/tables/code.ts';
import type { Pull } from '../find.ts';
import { findProtectedFiles } from '../mergeability/mergeability.ts';
import { approvals, hasOfficialRequests, isRejected } from '../reviews/find.ts';

/** A requirement of the base branch that a pull request does not meet. */
export type Blocker =
  /** Checks: patterns without a report, and checks that have not succeeded. */
  | { readonly kind: 'checks'; readonly missing: readonly string[]; readonly open: readonly string[] }
  | { readonly kind: 'approvals'; readonly given: number; readonly required: number }
  | { readonly kind: 'rejected' | 'requests' | 'outdated' }
  | { readonly kind: 'protected-files'; readonly files: readonly string[] };

/** The requirements of the base's rule that a pull request does not meet. */
export async function* blockers(context: Context, pull: Pull, rule: BranchProtection): AsyncGenerator<Blocker> {
  yield* reviewBlockers(context, pull, rule);
  if (rule.block_on_outdated_branch && pull.commits_behind > 0) yield { kind: 'outdated' };
  if (pull.merge_base === '') return;
  const range = { before: pull.merge_base, after: pull.head_id };
  // Not the stored ones: the patterns may have changed since.
  const files = await findProtectedFiles(context, pull.issue.repository, pull.base_branch, range);
  if (files.length > 0) yield { kind: 'protected-files', files };
}

/** The {@link blockers} that need only the database: missing checks and reviews. */
export async function* reviewBlockers(context: Context, pull: Pull, rule: BranchProtection): AsyncGenerator<Blocker> {
  const checks = await checksOf(context, pull, rule);
  if (checks.state !== 'success') yield { kind: 'checks', missing: checks.missing, open: checks.open };
  if (rule.required_approvals > 0) {
    const given = await approvals(context, pull, rule);
    if (given < rule.required_approvals) yield { kind: 'approvals', given, required: rule.required_approvals };
  }
  if (rule.block_on_rejected_reviews && (await isRejected(context, pull))) yield { kind: 'rejected' };
  if (rule.block_on_official_review_requests && (await hasOfficialRequests(context, pull))) yield { kind: 'requests' };
}

/** Whether the checks that a rule requires have succeeded; without a rule none are required. */
export async function haveChecksSucceeded(context: Context, pull: Pull, rule: BranchProtection | undefined): Promise<boolean> {
  return !rule || (await checksOf(context, pull, rule)).state === 'success';
}

interface Checks {
  readonly state: StatusState;
  readonly missing: readonly string[];
  readonly open: readonly string[];
}

async function checksOf(context: Context, pull: Pull, rule: BranchProtection): Promise<Checks> {
  if (!rule.status_check) return { state: 'success', missing: [], open: [] };
  const statuses = await latestStatuses(context, pull.issue.repository, pull.head_id);
  return requiredChecks(context, statuses, rule.status_check_contexts ?? []);
}

/** The combined state of the checks that match these patterns; each pattern needs one, and without patterns all count. */
async function requiredChecks(
  context: Context,
  statuses: readonly { context: string; state: StatusState }[],
  patterns: readonly string[],
): Promise<Checks> {
  const found = await matchPatterns(context, { kind: 'check', patterns, texts: statuses.map(({ context }) => context) });
  const required = patterns.length === 0 ? statuses : statuses.filter((_, at) => found[at]?.length);
  const reported = new Set(found.flat());
  const missing = patterns.filter((_, at) => !reported.has(at));
  const open = required.filter(({ state }) => combinedState([state]) !== 'success').map(({ context }) => context);
  const state = combinedState(required.map((status) => status.state));
  return { state: missing.length === 0 || state === 'failure' ? state : 'pending', missing, open };
}
