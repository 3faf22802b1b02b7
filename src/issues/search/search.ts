import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tables } from '../../database/tables.ts';
import type { Page } from '../../http/paging.ts';
import { isNarrow, matching } from '../filter.ts';
import { withRepositories } from '../find.ts';
import type { IssueFilter, IssueOrder } from '../issue-filter.ts';
import { type IssuePage, pageOf } from '../list.ts';
import { readableRepositories, type SearchScope } from './readable.ts';

/** The matching issues and pull requests that the caller may read, the newest first unless another order is requested. */
export async function searchIssues(
  context: Context,
  filter: IssueFilter,
  scope: SearchScope,
  page: Page,
  order?: IssueOrder,
): Promise<IssuePage> {
  const { rows, total } = await pageOf(
    context,
    filter,
    {
      all: () => countedIn(context, filter, scope),
      counts: (where) => readable(context, filter, scope, where, 'issue_counts'),
      matching: (filter) =>
        context.db
          .selectFrom('issues')
          .where((where) => readable(context, filter, scope, where, 'issues'))
          .where(matching(context, filter)),
    },
    page,
    order,
  );
  return { issues: await withRepositories(context.db, rows), total };
}

type Table = 'issues' | 'issue_counts';

/** The condition that the caller can read the repository of a row. */
function readable<T extends Table>(
  context: Context,
  filter: IssueFilter,
  scope: SearchScope,
  where: ExpressionBuilder<Tables, T>,
  table: T,
) {
  const { isPull } = filter;
  const isWide = scope.ownerId === undefined || isNarrow(filter);
  const of = (unit: 'issues' | 'pulls') =>
    where.and([sql<SqlBool>`${sql.ref(`${table}.is_pull`)} = ${unit === 'pulls'}`, within(context, unit, scope, isWide, table)]);
  return where.or([...(isPull === true ? [] : [of('issues')]), ...(isPull === false ? [] : [of('pulls')])]);
}

/** If a search is not limited to an owner, or narrow by itself, `+` keeps the databases from scanning by repository. */
function within(context: Context, unit: 'issues' | 'pulls', scope: SearchScope, isWide: boolean, table: Table): Expression<SqlBool> {
  const column = sql.ref(`${table}.repository_id`);
  return sql<SqlBool>`${isWide ? sql`+` : sql``}${column} in (${readableRepositories(context, unit, scope).select('repositories.id')})`;
}

/** Their number, from the stored counts of the repositories. */
async function countedIn(context: Context, { isPull, isClosed }: IssueFilter, scope: SearchScope): Promise<number> {
  const [issues, pulls] = await Promise.all([
    isPull === true ? 0 : sum(context, 'issues', isClosed, scope),
    isPull === false ? 0 : sum(context, 'pulls', isClosed, scope),
  ]);
  return issues + pulls;
}

async function sum(context: Context, unit: 'issues' | 'pulls', isClosed: boolean | undefined, scope: SearchScope): Promise<number> {
  const closed = sql.ref(`repositories.closed_${unit}_count`);
  const all = sql.ref(`repositories.${unit}_count`);
  const counted = isClosed === undefined ? all : isClosed ? closed : sql`${all} - ${closed}`;
  const { total } = await readableRepositories(context, unit, scope)
    .select(sql<number>`coalesce(sum(${counted}), 0)`.as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}
