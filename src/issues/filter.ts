import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import type { Span } from '../http/moments.ts';
import { issuesWithWords } from './search/index.ts';

/** Which issues and pull requests a list shows; what is undefined does not matter. */
export interface IssueFilter {
  isPull?: boolean | undefined;
  isClosed?: boolean | undefined;
  /** Words in the title, the body or a comment; or the number itself. */
  words?: string | undefined;
  /** The one repository that is looked in, where it is one. */
  repositoryId?: number | undefined;
  /** Has a label out of each of these sets of ids. */
  labels?: readonly (readonly number[])[] | undefined;
  /** Few issues have the rarest of these labels. */
  fewLabelled?: boolean | undefined;
  /** Has a label with one of these names. */
  labelNames?: readonly string[] | undefined;
  milestoneIds?: readonly number[] | undefined;
  authorId?: number | undefined;
  assigneeId?: number | undefined;
  mentionedId?: number | undefined;
  reviewRequestedId?: number | undefined;
  reviewedById?: number | undefined;
  /** By the last change. */
  span?: Span | undefined;
}

type Where = ExpressionBuilder<Tables, 'issues'>;

/** What pull requests add to the filters: src/pulls puts it in through subscriptions.ts. */
export const pullFilters: {
  reviewRequested?: (where: Where, userId: number) => Expression<SqlBool>;
  reviewedBy?: (where: Where, userId: number) => Expression<SqlBool>;
} = {};

/** The condition of a filter on rows of `issues`. */
export function matching(context: Context, filter: IssueFilter): (where: Where) => Expression<SqlBool> {
  return (where) =>
    where.and([
      ...ofState(where, context, filter),
      ...ofPeople(where, filter),
      ...ofMarks(where, filter),
      ...ofText(where, context, filter),
    ]);
}

/**
 * Whether few are expected to match, so that these are looked up and sorted, instead of all being gone through from the newest on.
 * A `+` before a column keeps a database from the latter.
 */
export function isNarrow({ words, assigneeId, mentionedId, reviewRequestedId, reviewedById, fewLabelled }: IssueFilter): boolean {
  const people = [assigneeId, mentionedId, reviewRequestedId, reviewedById];
  return (words !== undefined && words !== '') || people.some((id) => id !== undefined) || fewLabelled === true;
}

function ofState(where: Where, { database }: Context, filter: IssueFilter): Expression<SqlBool>[] {
  const { isPull, isClosed, span } = filter;
  const conditions: Expression<SqlBool>[] = [];
  // PostgreSQL knows how many rows match, and no `+` of truth values.
  const sign = database.dialect === 'sqlite' && isNarrow(filter) ? sql`+` : sql``;
  if (isPull !== undefined) conditions.push(sql<SqlBool>`${sign}issues.is_pull = ${isPull}`);
  if (isClosed !== undefined) conditions.push(sql<SqlBool>`${sign}issues.is_closed = ${isClosed}`);
  if (span?.since !== undefined) conditions.push(where('issues.updated_at', '>=', span.since));
  if (span?.before !== undefined) conditions.push(where('issues.updated_at', '<=', span.before));
  return conditions;
}

function ofPeople(where: Where, filter: IssueFilter): Expression<SqlBool>[] {
  const { authorId, assigneeId, mentionedId, reviewRequestedId, reviewedById } = filter;
  const conditions: Expression<SqlBool>[] = [];
  const none = sql<SqlBool>`1 = 0`;
  if (authorId !== undefined) conditions.push(where('issues.author_id', '=', authorId));
  if (assigneeId !== undefined) {
    const assigned = where.selectFrom('issue_assignees').select('issue_id').where('user_id', '=', assigneeId);
    conditions.push(where('issues.id', 'in', assigned));
  }
  if (mentionedId !== undefined) {
    const mentioned = where.selectFrom('issue_mentions').select('issue_id').where('user_id', '=', mentionedId);
    conditions.push(where('issues.id', 'in', mentioned));
  }
  if (reviewRequestedId !== undefined) conditions.push(pullFilters.reviewRequested?.(where, reviewRequestedId) ?? none);
  if (reviewedById !== undefined) conditions.push(pullFilters.reviewedBy?.(where, reviewedById) ?? none);
  return conditions;
}

function ofMarks(where: Where, { labels, fewLabelled, labelNames, milestoneIds }: IssueFilter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  for (const ids of labels ?? []) {
    const labelled = where
      .selectFrom('issue_labels')
      .select('issue_id')
      .where('label_id', 'in', [...ids]);
    // What many have is asked of each issue on the way, instead of all of them being gathered first.
    conditions.push(
      fewLabelled ? where('issues.id', 'in', labelled) : where.exists(labelled.whereRef('issue_labels.issue_id', '=', 'issues.id')),
    );
  }
  if (labelNames && labelNames.length > 0) {
    const labelled = where
      .selectFrom('labels')
      .innerJoin('issue_labels', 'issue_labels.label_id', 'labels.id')
      .select('issue_labels.issue_id')
      .where('labels.name', 'in', [...labelNames]);
    conditions.push(where('issues.id', 'in', labelled));
  }
  if (milestoneIds && milestoneIds.length > 0) conditions.push(where('issues.milestone_id', 'in', [...milestoneIds]));
  return conditions;
}

function ofText(where: Where, context: Context, { words, repositoryId }: IssueFilter): Expression<SqlBool>[] {
  if (words === undefined || words === '') return [];
  const found: RawBuilder<number> | undefined = issuesWithWords(context, words, repositoryId);
  const options: Expression<SqlBool>[] = [];
  if (found) options.push(sql<SqlBool>`issues.id in ${found}`);
  if (/^\d{1,15}$/.test(words)) options.push(where('issues.number', '=', Number(words)));
  return [options.length > 0 ? where.or(options) : sql<SqlBool>`1 = 0`];
}
