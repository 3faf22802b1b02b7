import { type SqlBool, sql } from 'kysely';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { Page } from '../../http/paging.ts';
import { hasAttribute } from '../filter.ts';
import { withRepositories } from '../find.ts';
import type { IssueOrder } from '../issue-filter.ts';
import { type IssuePage, orderOf, rowsOf } from '../list.ts';
import { readableRepositories } from '../search/readable.ts';
import { PARTICIPATION } from './subscriptions.ts';

/** The filter of the list; undefined means any. */
export interface SubscribedFilter {
  readonly isPull?: boolean | undefined;
  readonly isClosed?: boolean | undefined;
  /** Ids of labels, all of which it has. */
  readonly labels?: readonly number[] | undefined;
}

/**
 * The issues and pull requests that the caller subscribed to or takes part in and can read, in an order.
 * Those of repositories that are only watched are not included: they would be all issues of these.
 */
export async function listSubscribed(
  context: Context,
  { isPull, isClosed, labels = [] }: SubscribedFilter,
  page: Page,
  order: IssueOrder = 'newest',
): Promise<IssuePage> {
  const { db, database } = context;
  // Makes SQLite look up the issues that involve the caller, instead of scanning all.
  const sign = database.dialect === 'sqlite' ? sql`+` : sql``;
  const { id } = signedInActor(context);
  const subscribed = (isWatching: boolean) =>
    db.selectFrom('issue_watches').select('issue_id').where('user_id', '=', id).where('is_watching', '=', isWatching);
  const commented = db
    .selectFrom('comments')
    .select('issue_id')
    .where('author_id', '=', id)
    .where('kind', 'in', [...PARTICIPATION]);
  const opened = db.selectFrom('issues').select('id as issue_id').where('author_id', '=', id);
  const found = db
    .selectFrom('issues')
    .where('issues.id', 'in', subscribed(true).union(commented).union(opened))
    .where('issues.id', 'not in', subscribed(false))
    .where((where) => where.or([readable(context, 'issues'), readable(context, 'pulls')]))
    .$if(isPull !== undefined, (query) => query.where(sql<SqlBool>`${sign}issues.is_pull = ${isPull}`))
    .$if(isClosed !== undefined, (query) => query.where(sql<SqlBool>`${sign}issues.is_closed = ${isClosed}`))
    .where((where) => where.and(labels.map((id) => hasAttribute({ mark: 'label', ids: [id] }, sql.ref('issues.id')))));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const [column, direction] = orderOf(order);
  // Only ids are sorted: whole rows contain the texts of the issues.
  const ids = await found
    .select('issues.id')
    .orderBy(column, direction)
    .orderBy(sql`+issues.id`, direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const rows = await rowsOf(
    context,
    ids.map((row) => row.id),
  );
  return { issues: await withRepositories(db, rows), total: Number(total) };
}

function readable(context: Context, unit: 'issues' | 'pulls') {
  const repositories = readableRepositories(context, unit, {}).select('repositories.id');
  return sql<SqlBool>`(issues.is_pull = ${unit === 'pulls'} and +issues.repository_id in (${repositories}))`;
}
