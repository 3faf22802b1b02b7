import { type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Page } from '../http/paging.ts';
import type { Repository } from '../repositories/find.ts';
import { type IssueFilter, isNarrow, matching } from './filter.ts';
import type { Issue } from './find.ts';

/** A page of issues and how many there are on all pages. */
export interface IssuePage {
  issues: Issue[];
  total: number;
}

/** The issues and pull requests of a repository that match, the newest first. */
export async function listIssues(context: Context, repository: Repository, filter: IssueFilter, page: Page): Promise<IssuePage> {
  const [rows, total] = await Promise.all([
    matchingIn(context, repository, filter)
      .selectAll()
      .orderBy(orderedBy(filter, 'created_at'), 'desc')
      .orderBy(orderedBy(filter, 'id'), 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    countIssues(context, repository, filter),
  ]);
  return { issues: rows.map((row) => ({ ...row, repository })), total };
}

/** A column to sort by, see {@link isNarrow}. */
export function orderedBy(filter: IssueFilter, column: 'created_at' | 'id') {
  const ref = sql.ref<number>(`issues.${column}`);
  return isNarrow(filter) ? sql<number>`+${ref}` : ref;
}

function matchingIn(context: Context, { id }: Repository, filter: IssueFilter) {
  return context.db
    .selectFrom('issues')
    .where(isNarrow(filter) ? sql<SqlBool>`+issues.repository_id = ${id}` : sql<SqlBool>`issues.repository_id = ${id}`)
    .where(matching(context, { ...filter, repositoryId: id }));
}

/** How many match; where that is counted already, without looking at them. */
async function countIssues(context: Context, repository: Repository, filter: IssueFilter): Promise<number> {
  if (isPlain(filter)) return countedIn(repository, filter);
  const counted = await countedByMark(context, repository, filter);
  if (counted !== undefined) return counted;
  const { count } = await matchingIn(context, repository, filter)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether nothing matters but kind and state. */
export function isPlain({
  isPull: _isPull,
  isClosed: _isClosed,
  repositoryId: _repositoryId,
  fewLabelled: _few,
  ...rest
}: IssueFilter): boolean {
  return Object.values(rest).every(
    (value) =>
      value === undefined ||
      value === '' ||
      (Array.isArray(value) && value.length === 0) ||
      (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every((end) => end === undefined)),
  );
}

function countedIn(repository: Repository, { isPull, isClosed }: IssueFilter): number {
  const of = (all: number, closed: number) => (isClosed === undefined ? all : isClosed ? closed : all - closed);
  const issues = of(repository.issues_count, repository.closed_issues_count);
  const pulls = of(repository.pulls_count, repository.closed_pulls_count);
  return isPull === undefined ? issues + pulls : isPull ? pulls : issues;
}

/** How many have one label of the repository, or are in one milestone, when nothing else matters but the state. */
async function countedByMark({ db }: Context, { id }: Repository, filter: IssueFilter): Promise<number | undefined> {
  const { labels = [], milestoneIds = [], isClosed, ...rest } = filter;
  if (rest.isPull !== undefined || !isPlain(rest) || labels.length + milestoneIds.length !== 1) return undefined;
  const ids = labels[0] ?? milestoneIds;
  const [markId] = ids;
  if (markId === undefined || ids.length > 1) return undefined;
  const row = await db
    .selectFrom(labels.length > 0 ? 'labels' : 'milestones')
    .select(['issues_count', 'closed_issues_count'])
    .where('id', '=', markId)
    .where('repository_id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return isClosed === undefined ? row.issues_count : isClosed ? row.closed_issues_count : row.issues_count - row.closed_issues_count;
}
