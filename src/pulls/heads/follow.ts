import { findRepository, type Repository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { ACTIONS_ID, actionsUser } from '../../accounts/users/ghost.ts';
import type { Context } from '../../context.ts';
import { preparedPages } from '../../database/prepared.ts';
import type { PullRow } from '../../database/tables/pulls.ts';
import type { StoredEvent } from '../../events/events.ts';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import { findIssuesById } from '../../issues/find.ts';
import { findPullOfIssue, type Pull, withIssues } from '../find.ts';
import { openFromBranch, openOntoBranch } from '../open.ts';
import { closeIfHeadDeleted, retargetIfBaseDeleted } from './follow-branches.ts';
import { syncHead } from './sync.ts';

const BRANCHES = 'refs/heads/';

const pullsFrom = preparedPages((db, limit, offset, repositoryId: number, branch: string) =>
  openFromBranch({ db }, { id: repositoryId }, branch).selectAll('pull_requests').orderBy('pull_requests.id').limit(limit).offset(offset),
);

const pullsOnto = preparedPages((db, limit, offset, repositoryId: number, branch: string) =>
  openOntoBranch({ db }, { id: repositoryId }, branch).selectAll('pull_requests').orderBy('pull_requests.id').limit(limit).offset(offset),
);

/** A push waits for this many pull requests of one branch at most; the event handles the others. */
const MAX_AT_ONCE = 20;

/** {@link followBranches} before a push ends, for as many pull requests as it can wait for. */
export async function followAtOnce(context: Context, repository: Repository, updates: readonly RefUpdate[]): Promise<void> {
  await followBranches(context, repository, updates.slice(0, MAX_AT_ONCE), { limit: MAX_AT_ONCE });
}

/**
 * Applies moved branches to the open pull requests from and to them: heads follow, those with a deleted head are closed, those with a
 * deleted base are retargeted. Running it twice does no harm.
 * @param options.movedAt in seconds, if that may be a while ago
 */
async function followBranches(
  context: Context,
  repository: Repository,
  updates: readonly RefUpdate[],
  { limit = Number.MAX_SAFE_INTEGER, movedAt }: { limit?: number; movedAt?: number },
): Promise<void> {
  const errors: unknown[] = [];
  const page = { limit, offset: 0 };
  const each = async (rows: readonly PullRow[], follow: (pull: Pull) => Promise<void>) => {
    for (const pull of await withIssues(context.db, rows)) {
      // If one fails, the others are still handled.
      await follow(pull).catch((error: unknown) => errors.push(error));
    }
  };
  for (const { ref, newId } of updates) {
    if (!ref.startsWith(BRANCHES)) continue;
    const branch = ref.slice(BRANCHES.length);
    const isDeleted = /^0+$/.test(newId);
    await each(await pullsFrom(context.db, page, repository.id, branch), (pull) =>
      isDeleted ? closeIfHeadDeleted(context, pull, repository, movedAt) : syncHead(context, pull),
    );
    if (!isDeleted) continue;
    await each(await pullsOnto(context.db, page, repository.id, branch), (pull) => retargetIfBaseDeleted(context, pull, movedAt));
  }
  if (errors.length > 0)
    throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'pull requests could not follow their branches');
}

/** {@link followBranches} for the event: what was not done at once, or was interrupted by a crash. */
export async function followRefs({ payload, createdAt }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const repository = await findRepository(context.db, payload.repositoryId);
  const actor = payload.actorId === ACTIONS_ID ? actionsUser : ((await findUserById(context.db, payload.actorId)) ?? null);
  if (repository) await followBranches({ ...context, actor }, repository, payload.updates, { movedAt: createdAt });
}

/** A closed pull request has not followed its head. */
export async function followReopened({ payload }: StoredEvent<'issue.reopened'>, context: Context): Promise<void> {
  const issue = (await findIssuesById(context.db, [payload.issueId])).get(payload.issueId);
  const pull = issue && (await findPullOfIssue(context.db, issue));
  const actor = (await findUserById(context.db, payload.actorId)) ?? null;
  if (pull) await syncHead({ ...context, actor }, pull);
}
