import { type SqlBool, sql } from 'kysely';
import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { preparedIn } from '../database/prepared.ts';
import type { Page } from '../http/paging.ts';
import { type CountScope, countIssues, FEW, isPlain } from './count.ts';
import { isNarrow, matching, onlySearchWords } from './filter.ts';
import type { Issue } from './find.ts';
import type { IssueFilter, IssueOrder } from './issue-filter.ts';
import { countWithLabel, onlyLabel, pageWithLabel } from './labelled-pages.ts';
import { plainPage } from './plain-pages.ts';
import { havingWords } from './search/matching-issues.ts';

/** A page of issues and their number on all pages. */
export interface IssuePage {
  issues: Issue[];
  total: number;
}

/** The matching issues and pull requests of a repository. */
export async function listIssues(
  context: Context,
  repository: Repository,
  given: IssueFilter,
  page: Page,
  order: IssueOrder = 'newest',
): Promise<IssuePage> {
  const filter = { ...given, repositoryId: repository.id };
  const { rows, total } =
    (order === 'newest' && (await frequentPage(context, repository, filter, page))) ||
    (await pageOf(context, filter, scopeOf(context, repository, filter), page, order));
  return { issues: rows.map((row) => Object.assign(row, { repository })), total };
}

/** A page by the statements of frequent filters, which are compiled once: kind and state alone, or a label that few issues have. */
async function frequentPage({ db }: Context, repository: Repository, filter: IssueFilter, page: Page) {
  if (isPlain(filter)) {
    const total = countedIn(repository, filter);
    return { rows: page.offset < total ? await plainPage(db, repository.id, filter, page) : [], total };
  }
  const labelId = onlyLabel(filter);
  if (labelId === undefined) return undefined;
  const total = await countWithLabel(db, repository.id, labelId, filter);
  if (total >= FEW) return undefined;
  const ids = page.offset < total ? await pageWithLabel(db, repository.id, labelId, filter, page) : [];
  return { rows: await rowsOf({ db }, ids), total };
}

/** The number of matching issues and pull requests of a repository. */
export async function countMatching(context: Context, repository: Repository, given: IssueFilter): Promise<number> {
  const filter = { ...given, repositoryId: repository.id };
  return (await countIssues(context, filter, scopeOf(context, repository, filter))).total;
}

function scopeOf(context: Context, repository: Repository, filter: IssueFilter): CountScope {
  return {
    all: async () => countedIn(repository, filter),
    counts: (where) => where('repository_id', '=', repository.id),
    matching: (filter) => matchingIn(context, repository, filter),
  };
}

/** The sorted rows of a page, and the number of all. */
export async function pageOf(context: Context, filter: IssueFilter, scope: CountScope, page: Page, order: IssueOrder = 'newest') {
  const { total, ids: few, ...found } = await countIssues(context, filter, scope);
  if (page.offset >= total) return { rows: [], total };
  if (order !== 'newest') return { rows: await inOtherOrder(context, filter, scope, page, order), total };
  if (few) return { rows: await rowsOf(context, few.slice(page.offset, page.offset + page.limit)), total };
  const soon = total < FEW ? undefined : await amongNewest(context, filter, scope, page, total);
  if (soon) return { rows: soon, total };
  // PostgreSQL would compare each scanned issue with all matches of the words.
  const many = context.database.dialect === 'sqlite';
  const narrowed = total < FEW ? { ...filter, ...found } : { ...filter, many };
  const inOrder = scope
    .matching(narrowed)
    .orderBy(orderedBy(narrowed, 'created_at'), 'desc')
    .orderBy(orderedBy(narrowed, 'id'), 'desc')
    .limit(page.limit)
    .offset(page.offset);
  if (!isNarrow(narrowed)) return { rows: await inOrder.selectAll().execute(), total };
  // Sorting whole rows would read all of them.
  const ids = await inOrder.select('issues.id').execute();
  return {
    rows: await rowsOf(
      context,
      ids.map(({ id }) => id),
    ),
    total,
  };
}

/** The sooner of the day that an issue is due and that of its milestone; `never` where there is neither. */
const dueAt = (never: number) => sql<number>`(select min(due) from (
  select coalesce(issues.deadline_at, cast(${never} as bigint)) as due
  union all select coalesce(deadline_at, cast(${never} as bigint)) from milestones where milestones.id = issues.milestone_id
) as days)`;
/** In the year 9999. */
const NEVER = 253_370_764_800;

const ORDERS = {
  newest: [sql`+${sql.ref('issues.created_at')}`, 'desc'],
  oldest: [sql.ref('issues.created_at'), 'asc'],
  recentupdate: [sql.ref('issues.updated_at'), 'desc'],
  leastupdate: [sql.ref('issues.updated_at'), 'asc'],
  mostcomment: [sql.ref('issues.comments_count'), 'desc'],
  leastcomment: [sql.ref('issues.comments_count'), 'asc'],
  nearduedate: [dueAt(NEVER), 'asc'],
  farduedate: [sql`coalesce(nullif(${dueAt(NEVER)}, ${NEVER}), 0)`, 'desc'],
} as const;

/** What rows of `issues` are sorted by for an order, before their ids in the same direction. */
export const orderOf = (order: IssueOrder) => ORDERS[order];

async function inOtherOrder(context: Context, filter: IssueFilter, scope: CountScope, page: Page, order: IssueOrder) {
  const [column, direction] = orderOf(order);
  const rows = await scope
    .matching(filter)
    .select('issues.id')
    .orderBy(column, direction)
    .orderBy('issues.id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rowsOf(
    context,
    rows.map(({ id }) => id),
  );
}

/**
 * The page of a search for common words: checks the newest issues that match otherwise for the words.
 * @returns undefined if these do not fill the page
 */
async function amongNewest(context: Context, filter: IssueFilter, scope: CountScope, page: Page, total: number) {
  const terms = onlySearchWords(filter);
  if (!terms) return undefined;
  const end = Math.min(page.offset + page.limit, total);
  for (const depth of [end * 8, end * 64]) {
    // Checking more would take as long as looking up all matches of the words.
    if (depth > total / 4) return undefined;
    const ids = await newest(filter, scope, depth);
    const having = await havingWords(context, terms, ids);
    const found = ids.filter((id) => having.has(id)).slice(0, end);
    if (found.length === end) return rowsOf(context, found.slice(page.offset));
  }
  return undefined;
}

/** The ids of the issues that match except for the words, newest first. */
async function newest(filter: IssueFilter, scope: CountScope, depth: number): Promise<number[]> {
  const rows = await scope
    .matching({ ...filter, words: undefined })
    .select('issues.id')
    .orderBy('issues.created_at', 'desc')
    .orderBy('issues.id', 'desc')
    .limit(depth)
    .execute();
  return rows.map(({ id }) => id);
}

const rowsWithIds = preparedIn((db, ids) => db.selectFrom('issues').selectAll().where('id', 'in', ids));

/** The issues with these ids, in their order. */
export async function rowsOf({ db }: Pick<Context, 'db'>, ids: readonly number[]) {
  const rows = await rowsWithIds(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A column to sort by, see {@link isNarrow}. */
function orderedBy(filter: IssueFilter, column: 'created_at' | 'id') {
  const ref = sql.ref<number>(`issues.${column}`);
  return isNarrow(filter) ? sql<number>`+${ref}` : ref;
}

function matchingIn(context: Context, { id }: Repository, filter: IssueFilter) {
  const sign = isNarrow(filter) && !filter.fewInSpan ? sql`+` : sql``;
  return context.db.selectFrom('issues').where(sql<SqlBool>`${sign}issues.repository_id = ${id}`).where(matching(context, filter));
}

function countedIn(repository: Repository, { isPull, isClosed }: IssueFilter): number {
  const of = (all: number, closed: number) => (isClosed === undefined ? all : isClosed ? closed : all - closed);
  const issues = of(repository.issues_count, repository.closed_issues_count);
  const pulls = of(repository.pulls_count, repository.closed_pulls_count);
  return isPull === undefined ? issues + pulls : isPull ? pulls : issues;
}
