import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tables } from '../../database/tables.ts';
import type { Page } from '../../http/paging.ts';
import { type IssueFilter, isNarrow, matching } from '../filter.ts';
import { withRepositories } from '../find.ts';
import { type IssuePage, isPlain, orderedBy } from '../list.ts';
import { readableRepositories, type SearchPlace } from './readable.ts';

/** The issues and pull requests that match, wherever the caller may read them, the newest first. */
export async function searchIssues(context: Context, filter: IssueFilter, place: SearchPlace, page: Page): Promise<IssuePage> {
  const matches = context.db
    .selectFrom('issues')
    .where(readable(context, filter, place))
    .where(matching(context, filter));
  const [rows, total] = await Promise.all([
    matches
      .selectAll()
      .orderBy(orderedBy(filter, 'created_at'), 'desc')
      .orderBy(orderedBy(filter, 'id'), 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    isPlain(filter)
      ? countedIn(context, filter, place)
      : matches
          .select((select) => select.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
          .then(({ count }) => Number(count)),
  ]);
  return { issues: await withRepositories(context.db, rows), total };
}

type Where = ExpressionBuilder<Tables, 'issues'>;

function readable(context: Context, filter: IssueFilter, place: SearchPlace) {
  const { isPull } = filter;
  const isWide = place.ownerId === undefined || isNarrow(filter);
  return (where: Where): Expression<SqlBool> => {
    const kinds: Expression<SqlBool>[] = [];
    if (isPull !== true) kinds.push(where.and([where('issues.is_pull', '=', false), within(context, 'issues', place, isWide)]));
    if (isPull !== false) kinds.push(where.and([where('issues.is_pull', '=', true), within(context, 'pulls', place, isWide)]));
    return where.or(kinds);
  };
}

/** Where a search is not bound to an owner, or narrow by itself, `+` keeps the databases from going by repository. */
function within(context: Context, unit: 'issues' | 'pulls', place: SearchPlace, isWide: boolean): Expression<SqlBool> {
  const column = isWide ? sql`+issues.repository_id` : sql`issues.repository_id`;
  return sql<SqlBool>`${column} in (${readableRepositories(context, unit, place).select('repositories.id')})`;
}

/** How many there are, as the repositories have counted them. */
async function countedIn(context: Context, { isPull, isClosed }: IssueFilter, place: SearchPlace): Promise<number> {
  const [issues, pulls] = await Promise.all([
    isPull === true ? 0 : sum(context, 'issues', isClosed, place),
    isPull === false ? 0 : sum(context, 'pulls', isClosed, place),
  ]);
  return issues + pulls;
}

async function sum(context: Context, unit: 'issues' | 'pulls', isClosed: boolean | undefined, place: SearchPlace): Promise<number> {
  const closed = sql.ref(`repositories.closed_${unit}_count`);
  const all = sql.ref(`repositories.${unit}_count`);
  const counted = isClosed === undefined ? all : isClosed ? closed : sql`${all} - ${closed}`;
  const { total } = await readableRepositories(context, unit, place)
    .select(sql<number>`coalesce(sum(${counted}), 0)`.as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}
