import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { preparedIn } from '../database/prepared.ts';
import type { IssueRow } from '../database/tables/issues.ts';
import type { Tables } from '../database/tables.ts';
import type { Page } from '../http/paging.ts';
import { plainPage } from '../issues/plain-pages.ts';
import type { Pull } from './find.ts';

/** The filter of a repository's list of pull requests; undefined means any. */
export interface PullFilter {
  isClosed?: boolean | undefined;
  baseBranch?: string | undefined;
  milestoneId?: number | undefined;
  /** Has one of these. */
  labelIds?: readonly number[] | undefined;
  authorId?: number | undefined;
}

/** The orders of a list; by default newest first. */
export const PULL_SORTS = ['oldest', 'recentupdate', 'recentclose', 'leastupdate', 'mostcomment', 'leastcomment', 'priority'] as const;

type Column = 'created_at' | 'updated_at' | 'closed_at' | 'comments' | 'id';
type Order = readonly (readonly [Column, 'asc' | 'desc'])[];

const NEWEST: Order = [
  ['created_at', 'desc'],
  ['id', 'desc'],
];
const ORDERS: Readonly<Record<string, Order>> = {
  oldest: [
    ['created_at', 'asc'],
    ['id', 'asc'],
  ],
  recentupdate: [['updated_at', 'desc'], ...NEWEST],
  leastupdate: [
    ['updated_at', 'asc'],
    ['created_at', 'asc'],
    ['id', 'asc'],
  ],
  recentclose: [['closed_at', 'desc'], ...NEWEST],
  mostcomment: [['comments', 'desc'], ...NEWEST],
  leastcomment: [['comments', 'asc'], ...NEWEST],
};

/** A page of the matching pull requests of a repository, sorted by `sort`, and their number. */
export async function listPulls(
  context: Context,
  repository: Repository,
  filter: PullFilter,
  sort: string | undefined,
  page: Page,
): Promise<{ pulls: Pull[]; total: number }> {
  const total = await countPulls(context, repository, filter);
  if (page.offset >= total) return { pulls: [], total };
  const order = ORDERS[sort ?? ''] ?? NEWEST;
  if (order === NEWEST && isPlain(filter)) {
    const issues = await plainPage(context.db, repository.id, { isPull: true, isClosed: filter.isClosed }, page);
    return { pulls: await withPullRows(context, repository, issues), total };
  }
  let query = matchingIn(context, repository, filter).select('issues.id');
  for (const [column, direction] of order) {
    query = query.orderBy(sortKey(column), direction);
  }
  const rows = await query.limit(page.limit).offset(page.offset).execute();
  return {
    pulls: await findPullsOfIssues(
      context,
      repository,
      rows.map(({ id }) => id),
    ),
    total,
  };
}

function sortKey(column: Column) {
  // Open ones are last, in both databases.
  if (column === 'closed_at') return sql<number>`coalesce(issues.closed_at, 0)`;
  if (column === 'comments') return sql<number>`issues.comments_count + issues.counted_reviews`;
  return sql.ref<number>(`issues.${column}`);
}

const issuesWithIds = preparedIn((db, ids) => db.selectFrom('issues').selectAll().where('id', 'in', ids));
const pullsOfIssues = preparedIn((db, ids) => db.selectFrom('pull_requests').selectAll().where('issue_id', 'in', ids));

/** The pull requests of these issues of a repository, in their order. */
export async function findPullsOfIssues({ db }: Pick<Context, 'db'>, repository: Repository, issueIds: readonly number[]): Promise<Pull[]> {
  const issues = new Map((await issuesWithIds(db, issueIds)).map((issue) => [issue.id, issue]));
  return await withPullRows(
    { db },
    repository,
    issueIds.flatMap((id) => issues.get(id) ?? []),
  );
}

async function withPullRows({ db }: Pick<Context, 'db'>, repository: Repository, issues: readonly IssueRow[]): Promise<Pull[]> {
  const rows = await pullsOfIssues(
    db,
    issues.map(({ id }) => id),
  );
  const byIssue = new Map(rows.map((row) => [row.issue_id, row]));
  return issues.flatMap((issue) => {
    const row = byIssue.get(issue.id);
    return row ? [Object.assign(row, { issue: Object.assign(issue, { repository }) })] : [];
  });
}

function matchingIn({ db }: Pick<Context, 'db'>, { id }: Repository, filter: PullFilter) {
  return db
    .selectFrom('issues')
    .where('issues.repository_id', '=', id)
    .where('issues.is_pull', '=', true)
    .where((where) => where.and(conditions(where, filter)));
}

function conditions(
  where: ExpressionBuilder<Tables, 'issues'>,
  { isClosed, baseBranch, milestoneId, labelIds, authorId }: PullFilter,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [];
  if (isClosed !== undefined) all.push(where('issues.is_closed', '=', isClosed));
  if (milestoneId !== undefined) all.push(where('issues.milestone_id', '=', milestoneId));
  if (authorId !== undefined) all.push(where('issues.author_id', '=', authorId));
  if (baseBranch !== undefined) {
    const pulls = where.selectFrom('pull_requests').select(sql`1`.as('one')).whereRef('pull_requests.issue_id', '=', 'issues.id');
    all.push(where.exists(pulls.where('pull_requests.base_branch', '=', baseBranch)));
  }
  if (labelIds !== undefined) {
    const labelled = where.selectFrom('issue_labels').select(sql`1`.as('one')).whereRef('issue_labels.issue_id', '=', 'issues.id');
    all.push(where.exists(labelled.where('issue_labels.label_id', 'in', [...labelIds])));
  }
  return all;
}

/** Whether only the state matters. */
function isPlain({ isClosed: _isClosed, ...rest }: PullFilter): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

/** Uses the stored count of the repository where possible. */
async function countPulls(context: Context, repository: Repository, filter: PullFilter): Promise<number> {
  const { isClosed } = filter;
  if (isPlain(filter)) {
    const { pulls_count: all, closed_pulls_count: closed } = repository;
    return isClosed === undefined ? all : isClosed ? closed : all - closed;
  }
  const { count } = await matchingIn(context, repository, filter)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
