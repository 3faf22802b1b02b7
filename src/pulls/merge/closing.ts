import type { Context } from '../../context.ts';
import { isBlocked } from '../../issues/dependencies/dependencies.ts';
import { findIssuesById, type Issue } from '../../issues/find.ts';
import { closeIssue, reopenIssue } from '../../issues/state.ts';

/** The effect of a pull request's merge on an issue that its text, or a comment, names. */
export interface ClosingReference {
  readonly issue: Issue;
  readonly effect: 'closes' | 'reopens';
}

/** The issues that the merge of a pull request closes or reopens: the last reference to each counts. */
export async function referencesOf({ db }: Pick<Context, 'db'>, pull: Issue): Promise<ClosingReference[]> {
  const rows = await db
    .selectFrom('comments')
    .select(['issue_id', 'ref_effect'])
    .where('ref_issue_id', '=', pull.id)
    .where('ref_repository_id', '=', pull.repository_id)
    .where('ref_effect', 'in', ['closes', 'reopens'])
    .orderBy('id')
    .execute();
  const effects = new Map(rows.map((row) => [row.issue_id, row.ref_effect]));
  const issues = await findIssuesById(db, effects.keys());
  return [...effects].flatMap(([id, effect]): ClosingReference[] => {
    const issue = issues.get(id);
    return issue && (effect === 'closes' || effect === 'reopens') ? [{ issue, effect }] : [];
  });
}

/**
 * Closes and reopens the issues that a merged pull request names; a blocked issue stays open. Part of a change that holds the lock of these
 * repositories' issues.
 */
export async function followReferences(context: Context, references: readonly ClosingReference[], commitId: string): Promise<void> {
  const current = await findIssuesById(
    context.db,
    references.map(({ issue }) => issue.id),
  );
  for (const {
    issue: { id },
    effect,
  } of references) {
    const issue = current.get(id);
    if (!issue || issue.repository.is_archived) continue;
    if (effect === 'reopens') await reopenIssue(context, issue, { commitId });
    else if (!issue.is_closed && !(await isBlocked(context, issue))) await closeIssue(context, issue, { commitId });
  }
}
