import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import type { IssueFilter } from './filter.ts';
import { countMarks, isDisjoint, type Mark, marksOf } from './marks.ts';

/** Where issues are counted: in one repository, or wherever the caller may read them. */
export interface CountedPlace {
  /** How many of the kind and state asked for there are, as the repositories have counted them. */
  all(): Promise<number>;
  /** The condition on the rows of `issue_counts` that belong to it. */
  counts(where: ExpressionBuilder<Tables, 'issue_counts'>): Expression<SqlBool>;
  /** The issues that match a filter. */
  matching(filter: IssueFilter): SelectQueryBuilder<Tables, 'issues', object>;
}

/** How many issues match, and of several marks the one that fewest have. */
export interface IssueCount {
  total: number;
  rarest?: Mark | undefined;
}

/** How many match; where that is counted already, without looking at them. */
export async function countIssues(context: Context, filter: IssueFilter, place: CountedPlace): Promise<IssueCount> {
  if (isPlain(filter)) return { total: await place.all() };
  const marks = marksOf(filter);
  const counts = await countMarks(context, filter, marks, place.counts);
  const [first] = marks;
  const fewest = Math.min(...counts);
  const rarest = marks[counts.indexOf(fewest)];
  if (fewest === 0) return { total: 0 };
  if (first && marks.length === 1 && isDisjoint(first) && isPlain(withoutMarks(filter))) return { total: fewest, rarest };
  const { count } = await place
    .matching({ ...filter, rarest: filter.words ? undefined : rarest })
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { total: Number(count), rarest: filter.words ? undefined : rarest };
}

function withoutMarks({ labels: _l, milestoneIds: _m, authorId: _a, assigneeId: _s, mentionedId: _p, ...rest }: IssueFilter): IssueFilter {
  return rest;
}

/** Whether nothing matters but kind and state. */
function isPlain({ isPull: _isPull, isClosed: _isClosed, repositoryId: _repositoryId, span, ...rest }: IssueFilter): boolean {
  const asked = [...Object.values(rest), span?.since, span?.before];
  return asked.every((value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0));
}
