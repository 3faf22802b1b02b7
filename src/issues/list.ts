import { type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Page } from '../http/paging.ts';
import type { Repository } from '../repositories/find.ts';
import { type CountedPlace, countIssues } from './count.ts';
import { type IssueFilter, isNarrow, matching } from './filter.ts';
import type { Issue } from './find.ts';

/** A page of issues and how many there are on all pages. */
export interface IssuePage {
  issues: Issue[];
  total: number;
}

/** So many issues are looked up and sorted; more are met soon enough on the way from the newest on. */
const FEW = 2000;

/** The issues and pull requests of a repository that match, the newest first. */
export async function listIssues(context: Context, repository: Repository, filter: IssueFilter, page: Page): Promise<IssuePage> {
  const place: CountedPlace = {
    all: async () => countedIn(repository, filter),
    counts: (where) => where('repository_id', '=', repository.id),
    matching: (filter) => matchingIn(context, repository, filter),
  };
  const { rows, total } = await pageOf(context, filter, place, page);
  return { issues: rows.map((row) => ({ ...row, repository })), total };
}

/** The rows of a page, the newest first, and the number of all. */
export async function pageOf(context: Context, filter: IssueFilter, place: CountedPlace, page: Page) {
  const { total, ...found } = await countIssues(context, filter, place);
  if (page.offset >= total) return { rows: [], total };
  // PostgreSQL would compare each issue on the way with all that have the words of a search.
  const many = context.database.dialect === 'sqlite';
  const narrowed = total < FEW ? { ...filter, ...found } : { ...filter, many };
  const rows = await place
    .matching(narrowed)
    .selectAll()
    .orderBy(orderedBy(narrowed, 'created_at'), 'desc')
    .orderBy(orderedBy(narrowed, 'id'), 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, total };
}

/** A column to sort by, see {@link isNarrow}. */
function orderedBy(filter: IssueFilter, column: 'created_at' | 'id') {
  const ref = sql.ref<number>(`issues.${column}`);
  return isNarrow(filter) ? sql<number>`+${ref}` : ref;
}

function matchingIn(context: Context, { id }: Repository, filter: IssueFilter) {
  const sign = isNarrow(filter) && !filter.fewInSpan ? sql`+` : sql``;
  return context.db
    .selectFrom('issues')
    .where(sql<SqlBool>`${sign}issues.repository_id = ${id}`)
    .where(matching(context, { ...filter, repositoryId: id }));
}

function countedIn(repository: Repository, { isPull, isClosed }: IssueFilter): number {
  const of = (all: number, closed: number) => (isClosed === undefined ? all : isClosed ? closed : all - closed);
  const issues = of(repository.issues_count, repository.closed_issues_count);
  const pulls = of(repository.pulls_count, repository.closed_pulls_count);
  return isPull === undefined ? issues + pulls : isPull ? pulls : issues;
}
