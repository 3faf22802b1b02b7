import { findUserById } from '../../accounts/find.ts';
import { ACTIONS_ID, actionsUser } from '../../accounts/users/ghost.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import type { RefUpdate } from '../../events/events.ts';
import { findIssuesById } from '../../issues/find.ts';
import { findRepository, type Repository } from '../../repositories/find.ts';
import { findPullOfIssue, type Pull, withIssues } from '../find.ts';
import { baseGone, headGone } from './gone.ts';
import { syncHead } from './sync.ts';

const BRANCHES = 'refs/heads/';

/**
 * What moved branches mean for the open pull requests from and onto them: heads follow, those whose head is gone are closed, those
 * whose base is gone go to another one. Doing it twice does no harm.
 */
export async function followBranches(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  for (const { ref, newId } of updates) {
    if (!ref.startsWith(BRANCHES)) continue;
    const branch = ref.slice(BRANCHES.length);
    const isGone = /^0+$/.test(newId);
    for (const pull of await openPulls(context, { head_repository_id: repository.id, head_branch: branch })) {
      if (isGone) await headGone(context, pull, repository);
      else await syncHead(context, pull);
    }
    if (!isGone) continue;
    for (const pull of await openPulls(context, { repository_id: repository.id, base_branch: branch })) await baseGone(context, pull);
  }
}

/** {@link followBranches} for the event, should the server have stopped before it was done at once. */
export async function followRefs({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const repository = await findRepository(context.db, payload.repositoryId);
  const doer = payload.doerId === ACTIONS_ID ? actionsUser : ((await findUserById(context.db, payload.doerId)) ?? null);
  if (repository) await followBranches({ ...context, doer }, repository, payload.updates);
}

/** A pull request that was closed has not followed its head. */
export async function followReopened({ payload }: StoredEvent<'issue.reopened'>, context: Context): Promise<void> {
  const issue = (await findIssuesById(context.db, [payload.issueId])).get(payload.issueId);
  const pull = issue && (await findPullOfIssue(context.db, issue));
  const doer = (await findUserById(context.db, payload.doerId)) ?? null;
  if (pull) await syncHead({ ...context, doer }, pull);
}

type Ends = { head_repository_id: number; head_branch: string } | { repository_id: number; base_branch: string };

async function openPulls({ db }: Context, ends: Ends): Promise<Pull[]> {
  let query = db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .selectAll('pull_requests')
    .where('issues.is_closed', '=', false);
  query =
    'head_branch' in ends
      ? query
          .where('pull_requests.head_repository_id', '=', ends.head_repository_id)
          .where('pull_requests.head_branch', '=', ends.head_branch)
          .where('pull_requests.flow', '=', 'branch')
      : query.where('pull_requests.repository_id', '=', ends.repository_id).where('pull_requests.base_branch', '=', ends.base_branch);
  return withIssues(db, await query.orderBy('pull_requests.id').execute());
}
