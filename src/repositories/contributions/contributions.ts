import { findRepository, type Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { StoredEvent } from '../../events/events.ts';
import { contributingCommits, readContributions } from '../../git/history/contributions.ts';
import { isAncestor } from '../../git/history/log.ts';
import { type Contributions, Tally } from '../../git/history/tally.ts';
import { GitError } from '../../git/processes/process.ts';
import { readRef } from '../../git/refs/refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import type { JobRun } from '../../jobs/job-work.ts';
import type { Jobs } from '../../jobs/jobs.ts';

/** Maximum number of counted commits; older ones are left out. */
const MAX_COMMITS = 100_000;
/** Seconds after the first push of a burst until contributions are counted. */
const DELAY = 2;

/** The stored contributions to a default branch. */
export interface StoredContributions extends Contributions {
  /** Whether newer commits are still to be counted. */
  readonly isOld: boolean;
}

/**
 * The contributions to the default branch, as far as they were counted. The rest is counted in the background.
 * @param options.counts whether to start that
 * @returns undefined before the first count; 'empty' for a branch without commits
 */
export async function findContributions(
  context: Context,
  repository: Repository,
  { counts = true } = {},
): Promise<StoredContributions | 'empty' | undefined> {
  const { git, db } = context;
  const folder = git.locate(repository);
  const branch = await readRef(folder, git.pool, `refs/heads/${repository.default_branch}`);
  if (!branch) return 'empty';
  const kept = await db.selectFrom('repository_contributions').select('head').where('repository_id', '=', repository.id).executeTakeFirst();
  const isOld = kept?.head !== branch.oid;
  if (isOld && counts) await queue(context, repository.id);
  if (!kept) return undefined;
  const read = async () => (await storedOf(context, repository.id))?.contributions;
  const contributions = await git.pool.cache.remember(folder, `contributions ${kept.head}`, sizeOf, read);
  return contributions && { ...contributions, isOld };
}

function sizeOf(contributions: Contributions | undefined): number {
  return (contributions?.contributors ?? []).reduce((sum, { weeks }) => sum + 200 + 100 * weeks.length, 1_500);
}

const selectViewed = prepared((db, repositoryId: number) =>
  db.selectFrom('repository_contributions').select('repository_id').where('repository_id', '=', repositoryId),
);

/** After a push to a default branch whose contributions somebody has viewed. */
export async function countContributionsAfterPush({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const { repositoryId, updates } = payload;
  const [viewed] = await selectViewed(context.db, repositoryId);
  const repository = viewed && (await findRepository(context.db, repositoryId));
  if (repository && updates.some(({ ref }) => ref === `refs/heads/${repository.default_branch}`)) await queue(context, repositoryId, DELAY);
}

async function queue(context: Context, repositoryId: number, delay = 0): Promise<void> {
  await context.jobs.add(context, 'repository.contributions', { repositoryId }, { key: String(repositoryId), delay });
}

/** The job: counts the new commits of the default branch, or all of them if it was rewritten. */
export async function countContributions(
  { repositoryId }: Jobs['repository.contributions'],
  context: Context,
  { signal, progress }: Pick<JobRun, 'signal' | 'progress'>,
): Promise<void> {
  const { db, git } = context;
  const repository = await findRepository(db, repositoryId);
  if (!repository) return;
  const folder = git.locate(repository);
  const branch = await readRef(folder, git.pool, `refs/heads/${repository.default_branch}`);
  if (!branch) return;
  const stored = await storedOf(context, repositoryId);
  if (stored?.head === branch.oid) return;
  const begun = stored && (await continues(context, folder, stored.head, branch.oid)) ? stored : undefined;
  const range = { heads: [branch.oid], known: begun ? [begun.head] : [] };
  const found = await contributingCommits(folder, range, MAX_COMMITS + 1);
  const ids = found.slice(0, MAX_COMMITS);
  const tally = new Tally(begun?.contributions, now(), found.length > MAX_COMMITS);
  let done = 0;
  for await (const contributions of readContributions(folder, ids, { signal })) {
    for (const contribution of contributions) tally.add(contribution);
    done += contributions.length;
    progress({ done, total: ids.length });
  }
  signal.throwIfAborted();
  await keep(context, repositoryId, branch.oid, tally.contributions);
}

/** Whether a branch descends from the commit that was counted last; that commit may be deleted. */
async function continues({ git }: Context, folder: GitRepository, from: string, to: string): Promise<boolean> {
  try {
    return await isAncestor(folder, git.pool, from, to);
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

async function storedOf({ db }: Context, repositoryId: number): Promise<{ head: string; contributions: Contributions } | undefined> {
  const row = await db.selectFrom('repository_contributions').selectAll().where('repository_id', '=', repositoryId).executeTakeFirst();
  return row && { head: row.head, contributions: row.contributions };
}

async function keep({ db }: Context, repositoryId: number, head: string, contributions: Contributions): Promise<void> {
  const values = { head, contributions: JSON.stringify(contributions), counted_at: now() };
  await db
    .insertInto('repository_contributions')
    .columns(['repository_id', 'head', 'contributions', 'counted_at'])
    .expression((select) =>
      select
        .selectFrom('repositories')
        .select((row) => [
          'id',
          row.val(head).as('head'),
          row.val(values.contributions).as('contributions'),
          row.val(values.counted_at).as('at'),
        ])
        .where('id', '=', repositoryId),
    )
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(values))
    .execute();
}
