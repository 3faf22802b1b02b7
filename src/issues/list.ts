import type { Context } from '../context.ts';
import type { Page } from '../http/paging.ts';
import type { Repository } from '../repositories/find.ts';
import { type IssueFilter, matching } from './filter.ts';
import type { Issue } from './find.ts';

/** A page of issues and how many there are on all pages. */
export interface IssuePage {
  issues: Issue[];
  total: number;
}

/** The issues and pull requests of a repository that match, the newest first. */
export async function listIssues(context: Context, repository: Repository, filter: IssueFilter, page: Page): Promise<IssuePage> {
  const [rows, total] = await Promise.all([
    context.db
      .selectFrom('issues')
      .selectAll()
      .where('repository_id', '=', repository.id)
      .where(matching(context, filter))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    countIssues(context, repository, filter),
  ]);
  return { issues: rows.map((row) => ({ ...row, repository })), total };
}

/** How many match; where that is counted already, without looking at them. */
async function countIssues(context: Context, repository: Repository, filter: IssueFilter): Promise<number> {
  return isPlain(filter) ? countedIn(repository, filter) : countMatching(context, repository, filter);
}

/** Whether nothing matters but kind and state. */
export function isPlain({ isPull: _isPull, isClosed: _isClosed, ...rest }: IssueFilter): boolean {
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

async function countMatching(context: Context, repository: Repository, filter: IssueFilter): Promise<number> {
  const { count } = await context.db
    .selectFrom('issues')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('repository_id', '=', repository.id)
    .where(matching(context, filter))
    .executeTakeFirstOrThrow();
  return Number(count);
}
