import { sql } from 'kysely';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { preparedIn } from '../../database/prepared.ts';
import type { PullRow } from '../../database/tables/pulls.ts';
import type { Events, IssueEvent } from '../../events/events.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { checkPull } from './check.ts';

const BRANCHES = 'refs/heads/';
/** How many pull requests one job checks before it makes room for others. */
const BATCH = 50;
/** Branches that one statement looks for. */
const BRANCHES_AT_ONCE = 250;
/** Pull requests without activity for so many seconds are only checked when somebody views them. */
const INACTIVE_AFTER = 7 * 24 * 3600;

const forget = preparedIn((db, branches: readonly string[], repositoryId: number) =>
  db
    .updateTable('pull_requests')
    .set({ status: 'checking' })
    .where('repository_id', '=', repositoryId)
    .where('base_branch', 'in', branches)
    // As in the index of unmerged ones.
    .where('merged_commit_id', '=', sql.lit(''))
    .where('issue_id', 'in', (select) =>
      select
        .selectFrom('issues')
        .select('id')
        .where('repository_id', '=', repositoryId)
        .where('is_pull', '=', true)
        .where('is_closed', '=', false),
    )
    .returning('base_branch'),
);

/** Marks the mergeability of open pull requests to moved branches as unknown, in the transaction of the move. */
export async function forgetChecksOnto({ repositoryId, updates }: Events['refs.changed'], context: Context): Promise<void> {
  const branches = updates.flatMap(({ ref, newId }) =>
    ref.startsWith(BRANCHES) && !/^0+$/.test(newId) ? [ref.slice(BRANCHES.length)] : [],
  );
  for (let at = 0; at < branches.length; at += BRANCHES_AT_ONCE) {
    const forgotten = await forget(context.db, branches.slice(at, at + BRANCHES_AT_ONCE), repositoryId);
    for (const branch of new Set(forgotten.map((pull) => pull.base_branch)))
      await context.jobs.add(context, 'pulls.check', { repositoryId, branch }, { key: `${repositoryId} ${branch}` });
  }
}

/** The same in the transaction of an event of a pull request or issue that changes its sides, or makes them count again. */
export async function forgetCheck({ issueId, isPull }: IssueEvent, context: Context): Promise<void> {
  if (isPull === false) return;
  const pull = await context.db
    .updateTable('pull_requests')
    .set({ status: 'checking' })
    .where('issue_id', '=', issueId)
    .where('merged_commit_id', '=', '')
    .returning('id')
    .executeTakeFirst();
  if (pull) await wantCheck(context, pull);
}

/** In the transaction that creates a pull request: the columns that its creation has computed stay, the rest is checked. */
export async function checkNew({ issueId, isPull }: IssueEvent, context: Context): Promise<void> {
  if (isPull === false) return;
  const pull = await findRow(context, issueId);
  if (pull?.status === 'checking') await wantCheck(context, pull);
}

/** In the transaction that changes the base of a pull request: an earlier result may be outdated. */
export async function checkAgain({ issueId }: IssueEvent, context: Context): Promise<void> {
  const pull = await findRow(context, issueId);
  if (pull) await wantCheck(context, pull);
}

function findRow({ db }: Context, issueId: number): Promise<Pick<PullRow, 'id' | 'status'> | undefined> {
  return db.selectFrom('pull_requests').select(['id', 'status']).where('issue_id', '=', issueId).executeTakeFirst();
}

/** Enqueues a check of a pull request. */
export async function wantCheck(context: Context, { id }: { id: number }): Promise<void> {
  await context.jobs.add(context, 'pull.check', { pullId: id }, { key: String(id) });
}

/** Checks one pull request. */
export async function checkOne({ pullId }: Jobs['pull.check'], context: Context): Promise<void> {
  await checkPull(context, { id: pullId });
}

/** Checks the open pull requests to a branch, the most recently updated first. */
export async function checkOnto({ repositoryId, branch }: Jobs['pulls.check'], context: Context): Promise<void> {
  const waiting = await context.db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .select('pull_requests.id')
    .where('pull_requests.repository_id', '=', repositoryId)
    .where('pull_requests.base_branch', '=', branch)
    .where('pull_requests.status', '=', 'checking')
    .where('issues.is_closed', '=', false)
    .where('issues.updated_at', '>', now() - INACTIVE_AFTER)
    .orderBy('issues.updated_at', 'desc')
    .limit(BATCH + 1)
    .execute();
  for (const pull of waiting.slice(0, BATCH)) await checkPull(context, pull);
  if (waiting.length > BATCH)
    await context.jobs.add(context, 'pulls.check', { repositoryId, branch }, { key: `${repositoryId} ${branch}` });
}
