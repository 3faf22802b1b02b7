import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import { preparedIn } from '../database/prepared.ts';
import type { IssueRow } from '../database/tables/issues.ts';

/** By how much counts change. */
interface Change {
  issues: -1 | 0 | 1;
  closed: -1 | 0 | 1;
}

/** Counts an issue that closes, reopens or goes, wherever it is counted. The caller holds the lock of the issues. */
export async function countEverywhere(context: Context, issue: IssueRow, change: Change): Promise<void> {
  await countInRepository(context, issue, change);
  await countInMilestone(context, issue.milestone_id, change);
  const rows = await context.db.selectFrom('issue_labels').select('label_id').where('issue_id', '=', issue.id).execute();
  const labelIds = rows.map((row) => row.label_id);
  await countInLabels(context, labelIds, change);
}

/** Counts an issue, or pull request, in its repository. */
export async function countInRepository(
  { db }: Context,
  issue: Pick<IssueRow, 'repository_id' | 'is_pull'>,
  { issues, closed }: Change,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set((row) =>
      issue.is_pull
        ? { pulls_count: row('pulls_count', '+', issues), closed_pulls_count: row('closed_pulls_count', '+', closed) }
        : { issues_count: row('issues_count', '+', issues), closed_issues_count: row('closed_issues_count', '+', closed) },
    )
    .where('id', '=', issue.repository_id)
    .execute();
}

/** Counts an issue in a milestone, if it has one: that changes the milestone. */
export async function countInMilestone({ db }: Context, milestoneId: number | null, { issues, closed }: Change): Promise<void> {
  if (milestoneId === null) return;
  await db
    .updateTable('milestones')
    .set((row) => ({
      issues_count: row('issues_count', '+', issues),
      closed_issues_count: row('closed_issues_count', '+', closed),
      updated_at: now(),
    }))
    .where('id', '=', milestoneId)
    .execute();
}

const lockLabels = preparedIn((db, ids) => db.selectFrom('labels').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate());
const countLabels = preparedIn((db, ids, issues: number, closed: number) =>
  db
    .updateTable('labels')
    .set((row) => ({ issues_count: row('issues_count', '+', issues), closed_issues_count: row('closed_issues_count', '+', closed) }))
    .where('id', 'in', ids),
);

/** Counts an issue in labels. Those of organizations are counted from several repositories: they are held in the order of ids. */
export async function countInLabels({ db, database }: Context, labelIds: readonly number[], { issues, closed }: Change): Promise<void> {
  if (database.dialect === 'postgres') await lockLabels(db, labelIds);
  await countLabels(db, labelIds, issues, closed);
}
