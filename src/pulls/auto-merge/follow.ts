import type { Context } from '../../context.ts';
import { preparedIn } from '../../database/prepared.ts';
import type { StoredEvent } from '../../events/events.ts';
import type { Pull } from '../find.ts';

/** Branches that one statement looks for. */
const BRANCHES_AT_ONCE = 250;

/** The events that a scheduled merge may have been waiting for. */
export const PLANNED_MERGE_NEWS = [
  'review.submitted',
  'review.dismissed',
  'review.undismissed',
  'review.deleted',
  'review.requested',
  'pull.synchronized',
  'pull.retargeted',
  'issue.edited',
  'issue.reopened',
] as const;

/** Enqueues an attempt of a scheduled merge. */
export async function wantAutoMerge(context: Context, { id }: Pick<Pull, 'id'>): Promise<void> {
  await context.jobs.add(context, 'pull.auto-merge', { pullId: id }, { key: String(id) });
}

/** A status was reported: scheduled merges of this commit may be possible now. */
export async function tryAfterStatus({ payload }: StoredEvent<'commit.status'>, context: Context): Promise<void> {
  const pulls = await context.db
    .selectFrom('pull_auto_merges')
    .innerJoin('pull_requests', 'pull_requests.id', 'pull_auto_merges.pull_id')
    .select('pull_requests.id')
    .where('pull_requests.repository_id', '=', payload.repositoryId)
    .where('pull_requests.head_id', '=', payload.sha)
    .execute();
  for (const pull of pulls) await wantAutoMerge(context, pull);
}

/** A pull request has changed in another way. */
export async function tryAfterChange({ payload }: StoredEvent<(typeof PLANNED_MERGE_NEWS)[number]>, context: Context): Promise<void> {
  const pull = await context.db
    .selectFrom('pull_auto_merges')
    .innerJoin('pull_requests', 'pull_requests.id', 'pull_auto_merges.pull_id')
    .select('pull_requests.id')
    .where('pull_requests.issue_id', '=', payload.issueId)
    .executeTakeFirst();
  if (pull) await wantAutoMerge(context, pull);
}

const plannedInto = preparedIn((db, branches: readonly string[], repositoryId: number) =>
  db
    .selectFrom('pull_auto_merges')
    .innerJoin('pull_requests', 'pull_requests.id', 'pull_auto_merges.pull_id')
    .select('pull_requests.id')
    .where('pull_requests.repository_id', '=', repositoryId)
    .where('pull_requests.base_branch', 'in', branches),
);

/** A branch has moved: scheduled merges into it may have no conflicts now, or be up to date. */
export async function tryAfterPush({ payload: { repositoryId, updates } }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  // Very many branches have no scheduled merge together, as a rule: one query instead of hundreds.
  if (updates.length > BRANCHES_AT_ONCE && !(await hasPlans(context.db, repositoryId))) return;
  const branches = updates.flatMap(({ ref }) => (ref.startsWith('refs/heads/') ? [ref.slice('refs/heads/'.length)] : []));
  for (let at = 0; at < branches.length; at += BRANCHES_AT_ONCE) {
    const planned = await plannedInto(context.db, branches.slice(at, at + BRANCHES_AT_ONCE), repositoryId);
    for (const pull of planned) await wantAutoMerge(context, pull);
  }
}

async function hasPlans(db: Context['db'], repositoryId: number): Promise<boolean> {
  const plan = await db
    .selectFrom('pull_auto_merges')
    .innerJoin('pull_requests', 'pull_requests.id', 'pull_auto_merges.pull_id')
    .select('pull_requests.id')
    .where('pull_requests.repository_id', '=', repositoryId)
    .limit(1)
    .executeTakeFirst();
  return plan !== undefined;
}
