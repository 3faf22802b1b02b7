import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { PullRow } from '../database/tables/pulls.ts';
import { notFound } from '../http/errors.ts';
import { pathId } from '../http/path-id.ts';
import { findIssue, findIssuesById, type Issue, type IssueInput } from '../issues/find.ts';

/** A pull request with its issue, whose repository is the base's: the input of every rule about pull requests. */
export interface Pull extends PullRow {
  readonly issue: Issue;
}

/** The ref in the base repository that keeps the head of a pull request, whatever happens to its branch. */
export function headRef({ number }: Pick<PullRow, 'number'>): string {
  return `refs/pull/${number}/head`;
}

/** The pull request of this number. */
export async function findPull(db: Db, repository: Repository, number: number): Promise<Pull | undefined> {
  const issue = await findIssue(db, repository, number);
  return issue && findPullOfIssue(db, issue);
}

/** The pull request of an issue, if it is one. */
export async function findPullOfIssue(db: Db, issue: Issue): Promise<Pull | undefined> {
  if (!issue.is_pull) return undefined;
  const row = await db.selectFrom('pull_requests').selectAll().where('issue_id', '=', issue.id).executeTakeFirst();
  return row && { ...row, issue };
}

/** The pull request with this id (not the issue's). */
export async function findPullById(db: Db, id: number): Promise<Pull | undefined> {
  const row = await db.selectFrom('pull_requests').selectAll().where('id', '=', id).executeTakeFirst();
  return row && (await withIssues(db, [row]))[0];
}

/** The pull request that was merged as this commit of its base repository; the first if there are several. */
export async function findMergedBy(db: Db, repository: Repository, commitId: string): Promise<Pull | undefined> {
  if (commitId === '') return undefined;
  const row = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repository.id)
    .where('merged_commit_id', '=', commitId)
    .where('merged_commit_id', '!=', '')
    .orderBy('id')
    .executeTakeFirst();
  return row && (await withIssues(db, [row]))[0];
}

/** Rows with their issues, in the order of the rows; those of deleted repositories are left out. */
export async function withIssues(db: Db, rows: readonly PullRow[]): Promise<Pull[]> {
  const issues = await findIssuesById(
    db,
    rows.map((row) => row.issue_id),
  );
  return rows.flatMap((row) => {
    const issue = issues.get(row.issue_id);
    return issue ? [{ ...row, issue }] : [];
  });
}

/**
 * The pull request of a path.
 * @throws HttpError 404
 */
export async function pullOf({ repository, params }: IssueInput, { db }: Pick<Context, 'db'>): Promise<Pull> {
  const pull = await findPull(db, repository, pathId(params.index));
  if (!pull) throw notFound();
  return pull;
}
