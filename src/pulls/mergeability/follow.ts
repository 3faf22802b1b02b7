import { sql } from 'kysely';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PullRow } from '../../database/tables/pulls.ts';
import type { Events, IssueEvent } from '../../events/events.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { checkPull } from './check.ts';

const BRANCHES = 'refs/heads/';
/** Pull requests that one job checks before it lets others pass. */
const BATCH = 50;
/** Those that nobody has touched for so long, in seconds, wait until somebody looks at them. */
const INACTIVE_AFTER = 7 * 24 * 3600;

const forget = prepared((db, repositoryId: number, branch: string) =>
  db
    .updateTable('pull_requests')
    .set({ status: 'checking' })
    .where('repository_id', '=', repositoryId)
    .where('base_branch', '=', branch)
    // As it stands in the index of those that are not merged.
    .where('merged_commit_id', '=', sql.lit(''))
    .where('issue_id', 'in', (select) =>
      select
        .selectFrom('issues')
        .select('id')
        .where('repository_id', '=', repositoryId)
        .where('is_pull', '=', true)
        .where('is_closed', '=', false),
    )
    .returning('id'),
);

/** Marks the mergeability of open pull requests onto moved branches as unknown, in the transaction of the move. */
export async function forgetChecksOnto({ repositoryId, updates }: Events['refs.changed'], context: Context): Promise<void> {
  const branches = updates.flatMap(({ ref, newId }) =>
    ref.startsWith(BRANCHES) && !/^0+$/.test(newId) ? [ref.slice(BRANCHES.length)] : [],
  );
  for (const branch of branches) {
    const forgotten = await forget(context.db, repositoryId, branch);
    if (forgotten.length > 0)
      await context.jobs.add(context, 'pulls.check', { repositoryId, branch }, { key: `${repositoryId} ${branch}` });
  }
}

/** In the transaction of what happened to a pull request, or to an issue: its sides are others now, or count again. */
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

/** In the transaction that makes a pull request: whatever its maker has found out stands, the rest is found out. */
export async function checkNew({ issueId, isPull }: IssueEvent, context: Context): Promise<void> {
  if (isPull === false) return;
  const pull = await findRow(context, issueId);
  if (pull?.status === 'checking') await wantCheck(context, pull);
}

/** In the transaction that gives a pull request another base: what was found out before may be old by then. */
export async function checkAgain({ issueId }: IssueEvent, context: Context): Promise<void> {
  const pull = await findRow(context, issueId);
  if (pull) await wantCheck(context, pull);
}

function findRow({ db }: Context, issueId: number): Promise<Pick<PullRow, 'id' | 'status'> | undefined> {
  return db.selectFrom('pull_requests').select(['id', 'status']).where('issue_id', '=', issueId).executeTakeFirst();
}

/** Has a pull request checked soon. */
export async function wantCheck(context: Context, { id }: { id: number }): Promise<void> {
  await context.jobs.add(context, 'pull.check', { pullId: id }, { key: String(id) });
}

/** Checks one pull request. */
export async function checkOne({ pullId }: Jobs['pull.check'], context: Context): Promise<void> {
  await checkPull(context, { id: pullId });
}

/** Checks the open pull requests onto a branch, those that were touched last first. */
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
