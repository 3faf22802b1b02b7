import { setTimeout as sleep } from 'node:timers/promises';
import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { findPullById, type Pull } from '../find.ts';
import { checkWithin } from '../mergeability/check.ts';

/** How long a request waits until the last push is recorded, in milliseconds. */
const MAX_WAIT_MS = 5000;
const POLL_MS = 20;
/** How long it waits for the check itself, which then continues without it. */
const CHECK_MS = 30_000;

/** The error for a merge that may be possible soon, or never: clients get it for conflicts too. */
export function tryAgainLater(): HttpError {
  return new HttpError(405, 'Please try again later');
}

/**
 * The pull request once the last push to its head is recorded and its mergeability is known, so that what is merged is what was checked.
 * @throws HttpError 404 when it was deleted, 405 when that takes too long
 */
export async function checkedPull(context: Context, { id }: Pick<Pull, 'id'>): Promise<Pull> {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const pull = await findPullById(context.db, id);
    if (!pull) throw notFound();
    if (pull.merged_commit_id !== '' || pull.issue.is_closed) return pull;
    if (await isHeadKnown(context, pull)) {
      const checked = await checkWithin(context, pull, CHECK_MS);
      if (!checked) throw tryAgainLater();
      if (checked.head_id === pull.head_id) return checked;
    }
    if (Date.now() > deadline) throw tryAgainLater();
    await sleep(POLL_MS);
  }
}

/** Whether the recorded head is the head branch's commit; a deleted branch does not move. */
async function isHeadKnown({ db, git }: Context, pull: Pull): Promise<boolean> {
  const { flow, head_repository_id: headId, head_branch: branch, issue } = pull;
  if (flow !== 'branch' || headId === null) return true;
  const repository = headId === issue.repository_id ? issue.repository : await findRepository(db, headId);
  const tip = repository && storedRef(git.locate(repository), branchRef(branch));
  return tip === undefined || tip === pull.head_id;
}
