import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import type { Attribute } from './attribute.ts';
import type { IssueFilter, IssueLack } from './issue-filter.ts';
import { isNumber, issuesWithDigits } from './search/digits.ts';
import { issuesWithWords, type SearchWords, searchWords } from './search/matching-issues.ts';
import { attributesOf } from './stored-counts.ts';

type Where = ExpressionBuilder<Tables, 'issues'>;

/** The condition of a filter on rows of `issues`. */
export function matching(context: Context, filter: IssueFilter): (where: Where) => Expression<SqlBool> {
  return (where) =>
    where.and([
      ...ofState(context, filter),
      ...ofPeople(where, context, filter),
      ...ofAttributes(where, filter),
      ...ofText(where, context, filter),
    ]);
}

/**
 * Whether few issues are expected to match: these are looked up and sorted, instead of scanning all from the newest on.
 * A `+` before a column keeps SQLite from scanning.
 */
export function isNarrow({
  words,
  reviewRequestedId,
  reviewedById,
  projectId,
  rarest,
  fewInSpan,
  fewLabelled,
  many,
}: IssueFilter): boolean {
  if (many) return false;
  const conditions = [words || undefined, reviewRequestedId, reviewedById, projectId, rarest];
  return fewInSpan === true || fewLabelled === true || conditions.some((value) => value !== undefined);
}

function ofState({ database }: Context, filter: IssueFilter): Expression<SqlBool>[] {
  const { isPull, isClosed, span } = filter;
  const conditions: Expression<SqlBool>[] = [];
  // PostgreSQL estimates the number of matching rows, and has no `+` for booleans.
  const sign = database.dialect === 'sqlite' && isNarrow(filter) ? sql`+` : sql``;
  if (isPull !== undefined) conditions.push(sql<SqlBool>`${sign}issues.is_pull = ${isPull}`);
  if (isClosed !== undefined) conditions.push(sql<SqlBool>`${sign}issues.is_closed = ${isClosed}`);
  // If many were changed in the range, an index by the time of change would mean sorting them all.
  const spanSign = filter.fewInSpan ? sql`` : sql`+`;
  if (span?.since !== undefined) conditions.push(sql<SqlBool>`${spanSign}issues.updated_at >= ${span.since}`);
  if (span?.before !== undefined) conditions.push(sql<SqlBool>`${spanSign}issues.updated_at <= ${span.before}`);
  return conditions;
}

function ofPeople(where: Where, { provided }: Context, { reviewRequestedId, reviewedById }: IssueFilter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (reviewRequestedId !== undefined) conditions.push(provided.isReviewRequested(where, reviewRequestedId));
  if (reviewedById !== undefined) conditions.push(provided.isReviewedBy(where, reviewedById));
  return conditions;
}

/** The tables of attributes that are not columns of the issue. */
const ATTRIBUTE_TABLES = {
  label: ['issue_labels', 'label_id'],
  assignee: ['issue_assignees', 'user_id'],
  mention: ['issue_mentions', 'user_id'],
} as const;

function ofAttributes(where: Where, filter: IssueFilter): Expression<SqlBool>[] {
  const { labelNames, withoutLabels = [], without = [], isAssigned, projectId, rarest, fewLabelled } = filter;
  const conditions = attributesOf(filter).map((attribute): Expression<SqlBool> => {
    const isRarest = rarest !== undefined && rarest.mark === attribute.mark && rarest.ids[0] === attribute.ids[0];
    if (!isLinked(attribute)) return ownAttribute(where, attribute);
    return isRarest ? sql<SqlBool>`issues.id in (${withAttribute(attribute)})` : hasAttribute(attribute, sql.ref('issues.id'));
  });
  if (labelNames && labelNames.length > 0) {
    const labelled = where
      .selectFrom('labels')
      .innerJoin('issue_labels', 'issue_labels.label_id', 'labels.id')
      .select('issue_labels.issue_id')
      .where('labels.name', 'in', [...labelNames]);
    conditions.push(
      fewLabelled ? where('issues.id', 'in', labelled) : where.exists(labelled.whereRef('issue_labels.issue_id', '=', 'issues.id')),
    );
  }
  if (projectId !== undefined) {
    conditions.push(sql<SqlBool>`issues.id in (select issue_id from project_cards where project_id = ${projectId})`);
  }
  if (withoutLabels.length > 0) conditions.push(where.not(hasAttribute({ mark: 'label', ids: withoutLabels }, sql.ref('issues.id'))));
  if (isAssigned) conditions.push(where.not(lacks(where, 'assignee')));
  return [...conditions, ...without.map((lack) => lacks(where, lack))];
}

function lacks(where: Where, lack: IssueLack): Expression<SqlBool> {
  if (lack === 'milestone') return where('issues.milestone_id', 'is', null);
  const table = lack === 'project' ? 'project_cards' : ATTRIBUTE_TABLES[lack][0];
  return sql<SqlBool>`not exists (select 1 from ${sql.table(table)} where issue_id = issues.id)`;
}

function ownAttribute(where: Where, { mark, ids }: Attribute): Expression<SqlBool> {
  const column = mark === 'author' ? 'issues.author_id' : 'issues.milestone_id';
  const [id] = ids;
  return ids.length === 1 && id !== undefined ? where(column, '=', id) : where(column, 'in', [...ids]);
}

/** An attribute that is stored in another table. */
type LinkedAttribute = Attribute & { mark: keyof typeof ATTRIBUTE_TABLES };

function isLinked(attribute: Attribute): attribute is LinkedAttribute {
  return attribute.mark in ATTRIBUTE_TABLES;
}

function withAttribute({ mark, ids }: LinkedAttribute): RawBuilder<number> {
  const [table, column] = ATTRIBUTE_TABLES[mark];
  return sql`select issue_id from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join([...ids])})`;
}

/** The condition that the issue with this id has an attribute. */
export function hasAttribute(attribute: Attribute, id: Expression<unknown>): RawBuilder<SqlBool> {
  if (isLinked(attribute)) return sql`exists (${withAttribute(attribute)} and issue_id = ${id})`;
  const column = attribute.mark === 'author' ? 'issues.author_id' : 'issues.milestone_id';
  return sql`exists (select 1 from issues where issues.id = ${id} and ${sql.ref(column)} in (${sql.join([...attribute.ids])}))`;
}

/** The words of a search that only words can match; undefined if it may be the number of an issue. */
export function onlySearchWords({ words }: IssueFilter): SearchWords | undefined {
  return words && !isNumber(words) ? searchWords(words) : undefined;
}

function ofText(where: Where, context: Context, { words, repositoryId, many }: IssueFilter): Expression<SqlBool>[] {
  if (words === undefined || words === '') return [];
  const isMany = many === true;
  if (isNumber(words)) {
    return [where.or([isFound(context, issuesWithDigits(words, repositoryId), isMany), where('issues.number', '=', Number(words))])];
  }
  const terms = searchWords(words);
  return [terms ? isFound(context, issuesWithWords(context, terms, repositoryId), isMany) : sql<SqlBool>`1 = 0`];
}

function isFound({ database }: Context, found: RawBuilder<number>, many: boolean): RawBuilder<SqlBool> {
  // PostgreSQL overestimates the matches of any word and would scan all issues; for an array it expects few ids.
  if (database.dialect === 'postgres') return sql`issues.id = any (array${found})`;
  return many ? sql`+issues.id in ${found}` : sql`issues.id in ${found}`;
}
