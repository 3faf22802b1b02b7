import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { lockIssues } from '../find.ts';

/**
 * Removes the labels of the former owner from the issues of a transferred repository, and from their timelines: they belong to the
 * organization, and the new owner can neither see nor change them.
 */
export async function leaveLabelsOfOwner({ repositoryId, oldOwnerId }: Events['repository.transferred'], context: Context): Promise<void> {
  await lockIssues(context, [repositoryId]);
  const { db, database } = context;
  const labels = db.selectFrom('labels').select('labels.id').where('organization_id', '=', oldOwnerId);
  const issues = db.selectFrom('issues').select('issues.id').where('repository_id', '=', repositoryId);
  // They are counted from several repositories: locked in the order of ids, as everywhere.
  if (database.dialect === 'postgres') await labels.orderBy('id').forNoKeyUpdate().execute();
  await db
    .updateTable('labels')
    .set((row) => {
      const here = row
        .selectFrom('issue_labels')
        .innerJoin('issues', 'issues.id', 'issue_labels.issue_id')
        .whereRef('issue_labels.label_id', '=', 'labels.id')
        .where('issues.repository_id', '=', repositoryId)
        .select((select) => select.fn.countAll<number>().as('count'));
      return {
        issues_count: row('issues_count', '-', here),
        closed_issues_count: row('closed_issues_count', '-', here.where('issues.is_closed', '=', true)),
      };
    })
    .where('organization_id', '=', oldOwnerId)
    .execute();
  await db.deleteFrom('issue_labels').where('label_id', 'in', labels).where('issue_id', 'in', issues).execute();
  await db
    .deleteFrom('comments')
    .where('repository_id', '=', repositoryId)
    .where('kind', '=', 'label')
    .where('label_id', 'in', labels)
    .execute();
}
