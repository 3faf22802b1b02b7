import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { ProjectRow } from '../database/tables/projects.ts';
import type { Tables } from '../database/tables.ts';
import type { Page } from '../http/paging.ts';
import { matching } from '../issues/filter.ts';
import { findIssuesById, type Issue } from '../issues/find.ts';
import type { IssueFilter } from '../issues/issue-filter.ts';
import { readableRepositories } from '../issues/search/readable.ts';
import { ownerOf, type Project } from './find.ts';

/** The number of cards of a column that the caller may read, and the first of them. */
export interface ColumnCards {
  readonly open: number;
  readonly closed: number;
  readonly issues: readonly Issue[];
}

const NONE: ColumnCards = { open: 0, closed: 0, issues: [] };

/**
 * A page of the cards of each column of a board that the caller may read and that match, by column id.
 * @param page of every column, or of the one column `columnId`
 */
export async function readBoard(
  context: Context,
  project: Project,
  filter: IssueFilter,
  page: Page,
  columnId?: number,
): Promise<(columnId: number) => ColumnCards> {
  const cards = shownCards(context, project, filter).$if(columnId !== undefined, (all) =>
    all.where('project_cards.column_id', '=', columnId ?? 0),
  );
  const numbered = cards.select([
    'project_cards.column_id',
    'project_cards.issue_id',
    sql<number>`row_number() over (partition by project_cards.column_id order by project_cards.sorting, project_cards.id)`.as('place'),
  ]);
  const [counts, shown] = await Promise.all([
    cards
      .select(['project_cards.column_id', 'issues.is_closed', (select) => select.fn.countAll<number>().as('count')])
      .groupBy(['project_cards.column_id', 'issues.is_closed'])
      .execute(),
    context.db
      .selectFrom(numbered.as('numbered'))
      .select(['numbered.column_id', 'numbered.issue_id'])
      .where('numbered.place', '>', page.offset)
      .where('numbered.place', '<=', page.offset + page.limit)
      .orderBy('numbered.place')
      .execute(),
  ]);
  const issues = await findIssuesById(
    context.db,
    shown.map((card) => card.issue_id),
  );
  const columns = new Map<number, ColumnCards>();
  for (const { column_id: id, is_closed: isClosed, count } of counts) {
    columns.set(id, { ...(columns.get(id) ?? NONE), [isClosed ? 'closed' : 'open']: Number(count) });
  }
  const byColumn = Map.groupBy(shown, (card) => card.column_id);
  return (id) => ({
    ...(columns.get(id) ?? NONE),
    issues: (byColumn.get(id) ?? []).flatMap((card) => issues.get(card.issue_id) ?? []),
  });
}

/** The numbers of open and closed issues that the caller may read on each of these boards of one location, by board id. */
export async function countCards(
  context: Context,
  projects: readonly Project[],
): Promise<(project: ProjectRow) => Omit<ColumnCards, 'issues'>> {
  const [first] = projects;
  if (!first) return () => NONE;
  const rows = await visibleCards(context, first)
    .select(['project_cards.project_id', 'issues.is_closed', (select) => select.fn.countAll<number>().as('count')])
    .where(
      'project_cards.project_id',
      'in',
      projects.map(({ id }) => id),
    )
    .groupBy(['project_cards.project_id', 'issues.is_closed'])
    .execute();
  const of = (id: number, isClosed: boolean) =>
    Number(rows.find((row) => row.project_id === id && Boolean(row.is_closed) === isClosed)?.count ?? 0);
  return ({ id }) => ({ open: of(id, false), closed: of(id, true) });
}

/** The issue whose card is at a position, from 0 on, among those of a column that the caller may read; `without` is not counted. */
export async function issueAt(
  context: Context,
  project: Project,
  { columnId, without, position }: { columnId: number; without: number; position: number },
): Promise<number | undefined> {
  const row = await shownCards(context, project, {})
    .select('project_cards.issue_id')
    .where('project_cards.column_id', '=', columnId)
    .where('project_cards.issue_id', '<>', without)
    .orderBy('project_cards.sorting')
    .orderBy('project_cards.id')
    .limit(1)
    .offset(position)
    .executeTakeFirst();
  return row?.issue_id;
}

/** Assignees of issues on a board that the caller may read: the first ones by name. */
export async function assigneesOnBoard(context: Context, project: Project, limit: number): Promise<User[]> {
  const assigned = visibleCards(context, project)
    .innerJoin('issue_assignees', 'issue_assignees.issue_id', 'issues.id')
    .where('project_cards.project_id', '=', project.id)
    .select('issue_assignees.user_id');
  return context.db.selectFrom('users').selectAll().where('id', 'in', assigned).orderBy('lower_name').limit(limit).execute();
}

function shownCards(context: Context, project: Project, filter: IssueFilter) {
  return visibleCards(context, project)
    .where('project_cards.project_id', '=', project.id)
    .where((where) => matching(context, filter)(where as unknown as ExpressionBuilder<Tables, 'issues'>));
}

/** Cards of boards of a location whose issues the caller may read. */
function visibleCards(context: Context, { owner }: Project) {
  const account = ownerOf(owner);
  const readable = (unit: 'issues' | 'pulls'): Expression<SqlBool> => {
    const repositories = readableRepositories(context, unit, { ownerId: account.id })
      .select('repositories.id')
      .$if('repository' in owner, (own) => own.where('repositories.id', '=', 'repository' in owner ? owner.repository.id : 0));
    return sql<SqlBool>`(issues.is_pull = ${unit === 'pulls'} and issues.repository_id in (${repositories}))`;
  };
  return context.db
    .selectFrom('project_cards')
    .innerJoin('issues', 'issues.id', 'project_cards.issue_id')
    .where((where) => where.or([readable('issues'), readable('pulls')]));
}
