import { repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { mayWriteTo } from '../../code/protections/decide.ts';
import { firstUnverified } from '../../code/protections/pushed.ts';
import { branchRule } from '../../code/protections/rules.ts';
import { type AnnouncedMove, announceOwnMove, releaseOf, withdrawMove } from '../../code/refs-moved.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { PullMergeRow } from '../../database/tables/pulls.ts';
import { type BranchTip, onBranchTip } from '../../git/edit/branch-tip.ts';
import { BranchNotFoundError } from '../../git/edit/change-errors.ts';
import type { GitMergeStyle } from '../../git/merge/merge-styles.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { StaleRefError, updateRef } from '../../git/refs/update-refs.ts';
import { conflict, HttpError } from '../../http/errors.ts';
import { endOrRelease } from '../../processes/release.ts';
import type { Pull } from '../find.ts';
import type { Sides } from '../mergeability/mergeability.ts';
import { checkedPull, tryAgainLater } from './checked-pull.ts';
import { finishMerge } from './finish.ts';
import { announceMerge, releaseOfMerge, withdrawMerge } from './in-progress.ts';
import { type MergeAttempt, requireMergeable, requireStillReady } from './ready.ts';
import { withMergeErrors } from './refusals.ts';
import { isAllowedStyle, makeMerge } from './styles.ts';

/** How to merge a pull request. */
export interface MergeOptions {
  readonly style: GitMergeStyle;
  readonly message: string;
  readonly force: boolean;
  /** The expected commit of the head; empty for any. */
  readonly expectedHead: string;
  /** It was scheduled. */
  readonly isAutomatic: boolean;
}

/**
 * Merges a pull request in the caller's name. The checks, the merge and the update of the branch use the same three commits:
 * whenever one of them has moved meanwhile, everything is checked again.
 * @throws HttpError 404 when it is closed; 405 when it may not be merged; 409 for conflicts and an unexpected head; 412 when other issues
 * block it; StaleRefError when others are always faster, RefLockedError
 */
export async function mergePull(context: Context, pull: Pull, options: MergeOptions): Promise<void> {
  const { repository } = pull.issue;
  const folder = context.git.locate(repository);
  const change = async ({ parent: base, ref }: BranchTip): Promise<void> => {
    const current = await checkedPull(context, pull);
    const attempt: MergeAttempt = { kind: 'now', force: options.force };
    await requireMergeable(context, current, attempt);
    requireStyle(current, options.style);
    if (options.expectedHead !== '' && options.expectedHead !== current.head_id) throw conflict('head out of date');
    if (current.base_branch !== pull.base_branch || base === null) throw tryAgainLater();
    if (current.checked_base_id !== base) throw new StaleRefError(ref, base, current.checked_base_id);
    const sides = { base, head: current.head_id };
    const commit = await withMergeErrors(options.style, () => makeMerge(context, current, sides, options.style, options.message));
    await requireWriter(context, current);
    await requireSigned(context, current, sides, commit);
    const { style, isAutomatic } = options;
    const merge = await announceMerge(context, current, { style, commit, isAutomatic }, (context) =>
      requireStillReady(context, current, attempt),
    );
    await moveBase(context, current, sides, merge);
  };
  try {
    await onBranchTip(folder, { branch: pull.base_branch }, change);
  } catch (error) {
    if (error instanceof BranchNotFoundError) throw conflict(`the branch ${error.branch} is gone`);
    throw error;
  }
}

/** @throws HttpError 405 */
export function requireStyle(pull: Pull, style: Parameters<typeof isAllowedStyle>[1]): void {
  if (!isAllowedStyle(pull, style)) throw new HttpError(405, `${style} is not allowed an allowed merge style for this repository`);
}

async function moveBase(context: Context, pull: Pull, { base }: Sides, merge: PullMergeRow): Promise<void> {
  const { repository } = pull.issue;
  const ref = branchRef(pull.base_branch);
  const updates = [{ ref, oldId: base, newId: merge.commit_id }];
  let move: AnnouncedMove | undefined;
  try {
    // A merge without changes moves nothing.
    if (merge.commit_id !== base) {
      move = await announceOwnMove(context, repository, updates);
      await updateRef(context.git.locate(repository), { name: ref, to: merge.commit_id, from: base });
    }
  } catch (error) {
    if (move) await withdrawMove(context, move);
    await withdrawMerge(context, merge);
    throw error;
  }
  const release = async (db: Db) => {
    if (move) await releaseOf(move)(db);
    await releaseOfMerge(merge)(db);
  };
  await endOrRelease(context, release, () => finishMerge(context, pull, merge, move));
}

/**
 * A list of users who may merge gives nobody write access who has lost it, or never had it.
 * @throws HttpError 409
 */
async function requireWriter(context: Context, { issue: { repository }, base_branch: branch }: Pull): Promise<void> {
  const access = await repositoryAccess(context, repository, signedInActor(context));
  if (await mayWriteTo(context, repository, access, branch)) return;
  throw conflict('PushRejected with remote message: User permission denied for writing.');
}

/**
 * Refuses an unsigned merge into a branch that requires signatures.
 * @throws HttpError 409
 */
async function requireSigned(context: Context, pull: Pull, { base }: Sides, commit: string): Promise<void> {
  const { repository } = pull.issue;
  const rule = await branchRule(context, repository, pull.base_branch);
  if (!rule?.require_signed_commits) return;
  const unverified = await firstUnverified(context, context.git.locate(repository), { before: base, after: commit });
  if (unverified === undefined) return;
  throw conflict(`PushRejected with remote message: branch ${pull.base_branch} is protected from unverified commit ${unverified}`);
}
