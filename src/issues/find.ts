import { findRepositories, type Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { type Context, inTransaction } from '../context.ts';
import type { Db } from '../database/database.ts';
import { prepared, preparedIn } from '../database/prepared.ts';
import type { IssueRow } from '../database/tables/issues.ts';
import type { IssueAmid } from '../events/events.ts';
import { notFound } from '../http/errors.ts';
import { pathId } from '../http/path-id.ts';

/** An issue or a pull request with its repository: the input of every rule about issues. */
export interface Issue extends IssueRow {
  readonly repository: Repository;
  /** It is being opened: its events are part of that. */
  readonly isNew?: true;
  /** It was just opened without labels, assignees and files: these need not be queried to present it. */
  readonly isBare?: true;
  /** Several things are being changed at once: each event contains the state of the others at that time. */
  readonly amid?: IssueAmid;
}

const byNumber = prepared((db, repositoryId: number, number: number) =>
  db.selectFrom('issues').selectAll().where('repository_id', '=', repositoryId).where('number', '=', number),
);
const byIds = preparedIn((db, ids) => db.selectFrom('issues').selectAll().where('id', 'in', ids));

/** The current row of an issue. */
export async function findIssueRow(db: Db, id: number): Promise<IssueRow | undefined> {
  return (await byIds(db, [id]))[0];
}

/** The issue or pull request of this number. */
export async function findIssue(db: Db, repository: Repository, number: number): Promise<Issue | undefined> {
  const [row] = await byNumber(db, repository.id, number);
  return row && Object.assign(row, { repository });
}

/** The issues and pull requests with these ids, by id; missing ones are left out. */
export async function findIssuesById(db: Db, ids: Iterable<number>): Promise<Map<number, Issue>> {
  const rows = await byIds(db, ids);
  return new Map((await withRepositories(db, rows)).map((issue) => [issue.id, issue]));
}

/** Rows with their repositories, in the order of the rows; those of deleted repositories are left out. */
export async function withRepositories(db: Db, rows: readonly IssueRow[]): Promise<Issue[]> {
  const repositories = await findRepositories(
    db,
    rows.map((row) => row.repository_id),
  );
  const byId = new Map(repositories.map((repository) => [repository.id, repository]));
  return rows.flatMap((row) => {
    const repository = byId.get(row.repository_id);
    return repository ? [Object.assign(row, { repository })] : [];
  });
}

/** Whether somebody with this access may see the issue or pull request. */
export function canReadIssue(access: RepositoryAccess, issue: Pick<IssueRow, 'is_pull'>): boolean {
  return access.canRead(issue.is_pull ? 'pulls' : 'issues');
}

/** Whether somebody with this access may change labels, milestones and so on of the issue. */
export function canWriteIssue(access: RepositoryAccess, issue: Pick<IssueRow, 'is_pull'>): boolean {
  return access.canWrite(issue.is_pull ? 'pulls' : 'issues');
}

/** The input of a route about one issue. */
export interface IssueInput {
  repository: Repository;
  access: RepositoryAccess;
  params: { index: string };
}

/**
 * The issue or pull request of a path, if the caller may see it.
 * @throws HttpError 404
 */
export async function issueOf({ repository, access, params }: IssueInput, { db }: Pick<Context, 'db'>): Promise<Issue> {
  const issue = await findIssue(db, repository, pathId(params.index));
  if (!issue || !canReadIssue(access, issue)) throw notFound();
  return issue;
}

/**
 * Runs a change of one issue as a transaction that locks the issues of its repository, with the current issue.
 * @param others further repositories whose issues the change affects
 * @throws HttpError 404 when the issue was deleted meanwhile
 */
export async function changingIssue<R>(
  context: Context,
  { id, repository }: Issue,
  change: (context: Context, issue: Issue) => Promise<R>,
  others: readonly number[] = [],
): Promise<R> {
  return inTransaction(context, async (context) => {
    await lockIssues(context, [repository.id, ...others]);
    const row = await findIssueRow(context.db, id);
    if (!row) throw notFound();
    return change(context, { ...row, repository });
  });
}

/**
 * Locks the issues of these repositories until the transaction ends: the counts of repositories, labels and milestones depend on them. Rows
 * are locked in the order of their ids, so two changes never deadlock. In SQLite a transaction already has the database to itself.
 */
export async function lockIssues({ db, database }: Context, repositoryIds: readonly number[]): Promise<void> {
  if (database.dialect === 'sqlite') return;
  const ids = [...new Set(repositoryIds)];
  await db.selectFrom('repositories').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
}
