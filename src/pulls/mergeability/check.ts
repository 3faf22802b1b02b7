import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { NewPull, PullUpdate } from '../../database/tables/pulls.ts';
import { withMutex } from '../../git/mutex.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { findPullById, type Pull } from '../find.ts';
import { findMergeability, type Mergeability } from './mergeability.ts';

/** How often a check is retried because a side moved meanwhile, before it is left to the next job. */
const MAX_ATTEMPTS = 3;
/** How long a request waits that can do without the result, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * The pull request with its mergeability, which is checked now if unknown. Does nothing if it is closed or its sides have not moved.
 * @returns undefined when it was deleted
 */
export async function checkPull(context: Context, { id }: Pick<Pull, 'id'>): Promise<Pull | undefined> {
  return withMutex(`check of pull ${id}`, async () => {
    for (let attempt = 1; ; attempt++) {
      const pull = await findPullById(context.db, id);
      const isOver = pull?.merged_commit_id !== '' || pull.issue.is_closed;
      if (isOver) return pull;
      const base = baseTip(context, pull);
      if (pull.status !== 'checking' && pull.checked_base_id === base && pull.checked_head_id === pull.head_id) return pull;
      const columns = base === undefined ? { status: 'error' as const } : await columnsOf(context, pull, base);
      const isCurrent = (await store(context, pull, columns)) && baseTip(context, pull) === base;
      if (isCurrent || attempt === MAX_ATTEMPTS) return findPullById(context.db, id);
    }
  });
}

/** {@link checkPull} for a request that waits at most this long, in milliseconds; undefined when it takes longer, or fails. */
export async function checkWithin(context: Context, pull: Pull, patience: number): Promise<Pull | undefined> {
  const checked = checkPull(context, pull).catch((error: unknown) => {
    context.log.error({ pull: pull.id, err: error }, 'a pull request could not be checked');
    return undefined;
  });
  return knownWithin(checked, patience);
}

/** The result of work that never fails, if it ends within `patience` milliseconds; the work continues anyway. */
export async function knownWithin<T>(work: Promise<T>, patience: number): Promise<T | undefined> {
  const inTime = new AbortController();
  const late = sleep(patience, undefined, { signal: inTime.signal }).catch(() => undefined);
  const known = await Promise.race([work, late]);
  inTime.abort();
  return known;
}

/** The pull request with its mergeability if that is known after a moment, for a request that only shows it. */
export async function checkedSoon(context: Context, pull: Pull): Promise<Pull> {
  if (pull.status !== 'checking' || pull.issue.is_closed) return pull;
  return (await checkWithin(context, pull, PATIENCE_MS)) ?? pull;
}

/** The commit of a pull request's base branch; undefined when the branch is missing. */
export function baseTip({ git }: Pick<Context, 'git'>, { issue, base_branch: branch }: Pull): string | undefined {
  return storedRef(git.locate(issue.repository), branchRef(branch));
}

type MergeabilityColumns = Pick<NewPull, 'status' | 'merge_base' | 'checked_base_id' | 'checked_head_id'> &
  Pick<NewPull, 'conflicted_files' | 'changed_protected_files' | 'commits_ahead' | 'commits_behind'>;

/** The columns of a pull request's mergeability. */
export function mergeabilityColumns(sides: { base: string; head: string }, found: Mergeability): MergeabilityColumns {
  return {
    status: found.status,
    merge_base: found.mergeBase,
    checked_base_id: sides.base,
    checked_head_id: sides.head,
    conflicted_files: JSON.stringify(found.conflictedFiles),
    changed_protected_files: JSON.stringify(found.changedProtectedFiles),
    commits_ahead: found.ahead,
    commits_behind: found.behind,
  };
}

async function columnsOf(context: Context, pull: Pull, base: string): Promise<PullUpdate> {
  const sides = { base, head: pull.head_id };
  try {
    return mergeabilityColumns(sides, await findMergeability(context, pull.issue.repository, pull.base_branch, sides));
  } catch (error) {
    context.log.error({ pull: pull.id, err: error }, 'a pull request could not be checked');
    return { status: 'error', checked_base_id: base, checked_head_id: pull.head_id };
  }
}

/** Does nothing if the pull request has other sides meanwhile, or is merged. */
async function store({ db }: Context, pull: Pull, columns: PullUpdate): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pull_requests')
    .set(columns)
    .where('id', '=', pull.id)
    .where('head_id', '=', pull.head_id)
    .where('base_branch', '=', pull.base_branch)
    .where('merged_commit_id', '=', '')
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}
