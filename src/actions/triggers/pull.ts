import type { Context } from '../../context.ts';
import { findIssueRow } from '../../issues/find.ts';

/** The facts that decide about the runs of a pull request. */
export interface PullOfEvent {
  readonly title: string;
  readonly authorId: number;
  /** Its commits may be by a user without write access: it comes from a fork, or was pushed without one. */
  readonly isFromFork: boolean;
}

/** The pull request that an event is about, if it is about one. */
export async function pullOfEvent({ db }: Context, issueId: number | null): Promise<PullOfEvent | undefined> {
  const issue = issueId === null ? undefined : await findIssueRow(db, issueId);
  if (!issue?.is_pull) return undefined;
  const pull = await db
    .selectFrom('pull_requests')
    .select(['repository_id', 'head_repository_id', 'flow'])
    .where('issue_id', '=', issue.id)
    .executeTakeFirst();
  return {
    title: issue.title,
    authorId: issue.author_id,
    isFromFork: pull?.flow !== 'branch' || pull.head_repository_id !== pull.repository_id,
  };
}
