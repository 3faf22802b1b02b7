import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { countBranches } from '../../code/branch-count.ts';
import { afterCommit, type Context, inTransaction } from '../../context.ts';
import type { MigrationRow } from '../../database/tables/migrations.ts';
import type { RepositoryUpdate } from '../../database/tables/repositories.ts';
import { subjects } from '../../processes/subjects.ts';
import { finishRepository } from '../../repositories/create.ts';
import { folderSize } from '../../repositories/size.ts';
import { queueStatistics } from '../../repositories/statistics/statistics.ts';
import { MigrationEndedError } from '../steps.ts';
import type { Target } from './run.ts';

/**
 * Makes the repository visible, with all counts, in the transaction that ends the migration.
 * @throws MigrationEndedError when it was cancelled
 */
export async function finish({ context, repository }: Target, migration: MigrationRow): Promise<void> {
  const folder = context.git.locate(repository);
  const [size, { branches }] = [await folderSize(folder.path), await countBranches(context, repository)];
  await inTransaction(context, async (context) => {
    const { numUpdatedRows } = await context.db
      .updateTable('repository_migrations')
      .set({ state: 'finished', options: null, ended_at: now() })
      .where('id', '=', migration.id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new MigrationEndedError('the migration was cancelled');
    await countUses(context, repository.id);
    const columns = { ...(await countsOf(context, repository.id)), size, branches_count: branches };
    await finishRepository(context, repository, { name: repository.name }, columns);
    await checkOpenPulls(context, repository.id);
    await queueStatistics(context, repository.id);
    afterCommit(context, () => context.wakeUps.notify([subjects.migration(migration.id)]));
  });
}

/** Counts the issues of each label and milestone. */
async function countUses({ db }: Context, repositoryId: number): Promise<void> {
  const labelled = () =>
    db
      .selectFrom('issue_labels')
      .innerJoin('issues', 'issues.id', 'issue_labels.issue_id')
      .where('issue_labels.label_id', '=', sql.ref<number>('labels.id'))
      .select((select) => select.fn.countAll<number>().as('count'));
  await db
    .updateTable('labels')
    .set({ issues_count: labelled(), closed_issues_count: labelled().where('issues.is_closed', '=', true) })
    .where('repository_id', '=', repositoryId)
    .execute();
  const planned = () =>
    db
      .selectFrom('issues')
      .where('issues.milestone_id', '=', sql.ref<number>('milestones.id'))
      .select((select) => select.fn.countAll<number>().as('count'));
  await db
    .updateTable('milestones')
    .set({ issues_count: planned(), closed_issues_count: planned().where('issues.is_closed', '=', true) })
    .where('repository_id', '=', repositoryId)
    .execute();
}

async function countsOf({ db }: Context, repositoryId: number): Promise<RepositoryUpdate> {
  const rows = await db
    .selectFrom('issues')
    .select((select) => ['is_pull', 'is_closed', select.fn.countAll<number>().as('count'), select.fn.max('number').as('last')])
    .where('repository_id', '=', repositoryId)
    .groupBy(['is_pull', 'is_closed'])
    .execute();
  const count = (isPull: boolean, states: readonly boolean[]) =>
    rows
      .filter((row) => Boolean(row.is_pull) === isPull && states.includes(Boolean(row.is_closed)))
      .reduce((sum, row) => sum + Number(row.count), 0);
  const { releases } = await db
    .selectFrom('releases')
    .select((select) => select.fn.countAll<number>().as('releases'))
    .where('repository_id', '=', repositoryId)
    .where('is_draft', '=', false)
    .executeTakeFirstOrThrow();
  return {
    issues_count: count(false, [true, false]),
    closed_issues_count: count(false, [true]),
    pulls_count: count(true, [true, false]),
    closed_pulls_count: count(true, [true]),
    last_issue_number: Math.max(0, ...rows.map(({ last }) => Number(last))),
    releases_count: Number(releases),
  };
}

/** Finds out in the background whether the open pull requests can be merged. */
async function checkOpenPulls(context: Context, repositoryId: number): Promise<void> {
  const bases = await context.db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .select('pull_requests.base_branch')
    .distinct()
    .where('pull_requests.repository_id', '=', repositoryId)
    .where('issues.is_closed', '=', false)
    .limit(100)
    .execute();
  for (const { base_branch: branch } of bases) await context.jobs.add(context, 'pulls.check', { repositoryId, branch });
}
