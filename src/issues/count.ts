import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import { cachedRows } from '../database/prepared.ts';
import type { Tables } from '../database/tables.ts';
import type { TimeRange } from '../http/time-range.ts';
import type { Attribute } from './attribute.ts';
import { hasAttribute, onlySearchWords } from './filter.ts';
import type { IssueFilter } from './issue-filter.ts';
import { kindsWithWords, type SearchWords } from './search/matching-issues.ts';
import { attributesOf, countByAttribute, isDisjoint, ofKind } from './stored-counts.ts';

/** The scope of a count: one repository, or all that the caller may read. */
export interface CountScope {
  /** The number of all issues of the requested kind and state, from the stored counts. */
  all(): Promise<number>;
  /** The condition on rows of `issue_counts` in the scope. */
  counts(where: ExpressionBuilder<Tables, 'issue_counts'>): Expression<SqlBool>;
  /** The issues that match a filter. */
  matching(filter: IssueFilter): SelectQueryBuilder<Tables, 'issues', object>;
}

/** The number of matching issues, and how to find them if they are few: see {@link IssueFilter}. */
export interface IssueCount extends Pick<IssueFilter, 'rarest' | 'fewInSpan' | 'fewLabelled'> {
  total: number;
  /** All of them, newest first, if they are few and the count has found them. */
  ids?: readonly number[];
}

/** Up to so many issues are looked up and sorted; with more matches, scanning from the newest finds a page soon enough. */
export const FEW = 2000;

/** The number of matching issues; from stored counts where possible. */
export async function countIssues(context: Context, filter: IssueFilter, scope: CountScope): Promise<IssueCount> {
  if (isPlain(filter)) return { total: await scope.all() };
  if (filter.span && isPlain({ ...filter, span: undefined })) {
    return { total: await countInSpan(context, filter, filter.span, scope), fewInSpan: true };
  }
  if (filter.labelNames?.length && isPlain({ ...filter, labelNames: undefined })) {
    return { total: await countLabelled(context, filter, filter.labelNames, scope), fewLabelled: true };
  }
  const attributes = attributesOf(filter);
  const terms = onlySearchWords(filter);
  if (terms && isPlain({ ...withoutAttributes(filter), words: undefined })) {
    return await countWithWords(context, filter, { terms, attributes }, scope);
  }
  const counts = await countByAttribute(context, filter, attributes, scope.counts);
  const [first] = attributes;
  const fewest = Math.min(...counts);
  const rarest = attributes[counts.indexOf(fewest)];
  if (fewest === 0) return { total: 0 };
  if (first && attributes.length === 1 && isDisjoint(first) && isPlain(withoutAttributes(filter))) return { total: fewest, rarest };
  const found = { rarest: filter.words ? undefined : rarest };
  return { total: await countOf(scope.matching({ ...filter, ...found })), ...found };
}

/** Length in seconds of the time units of stored counts. */
const PIECE = 65_536;

/** The number of issues last changed in a range: whole units are counted already, its ends are counted one by one. */
async function countInSpan(context: Context, filter: IssueFilter, { since = 0, before }: TimeRange, scope: CountScope): Promise<number> {
  const first = Math.floor(since / PIECE);
  const last = before === undefined ? undefined : Math.floor(before / PIECE);
  const within = (since: number, before: number | undefined) =>
    countOf(scope.matching({ ...filter, span: { since, before }, fewInSpan: true }));
  if (last !== undefined && last <= first) return within(since, before);
  const { total } = await context.db
    .selectFrom('issue_counts')
    .select((select) => select.fn.sum<number | null>('count').as('total'))
    .where('mark', '=', 'updated')
    .where('mark_id', '>', first)
    .$if(last !== undefined, (counts) => counts.where('mark_id', '<', last ?? 0))
    .where(ofKind(filter))
    .where(scope.counts)
    .executeTakeFirstOrThrow();
  const ends = [within(since, (first + 1) * PIECE - 1), ...(last === undefined ? [] : [within(last * PIECE, before)])];
  return (await Promise.all(ends)).reduce((sum, count) => sum + count, Number(total));
}

/** The number of issues with a label of one of these names, from stored counts, if no issue can have two of them. */
async function countLabelled(context: Context, filter: IssueFilter, names: readonly string[], scope: CountScope): Promise<number> {
  const { db } = context;
  const named = db.selectFrom('labels').where('name', 'in', [...names]);
  const { labels, repositories } = await named
    .select((select) => [select.fn.countAll<number>().as('labels'), select.fn.count<number>('repository_id').distinct().as('repositories')])
    .executeTakeFirstOrThrow();
  // Two labels of a repository may have the same name, and so may one of the organization.
  if (names.length > 1 || Number(labels) !== Number(repositories)) return countOf(scope.matching({ ...filter, fewLabelled: true }));
  const { total } = await db
    .selectFrom('issue_counts')
    .select((select) => select.fn.sum<number | null>('count').as('total'))
    .where('mark', '=', 'label')
    .where('mark_id', 'in', named.select('id'))
    .where(ofKind(filter))
    .where(scope.counts)
    .executeTakeFirstOrThrow();
  return Number(total);
}

const column = <Name extends 'id' | 'created_at'>(name: Name) => sql<number>`${sql.ref(`issue_counts.${name}`)}`.as(name);

/** The number of issues with the words and the attributes. */
async function countWithWords(
  context: Context,
  filter: IssueFilter,
  { terms, attributes }: { terms: SearchWords; attributes: readonly Attribute[] },
  scope: CountScope,
): Promise<IssueCount> {
  // Named like the stored counts, since it has the same columns: the conditions are the same.
  const found = context.db
    .with('issue_counts', () => kindsWithWords(context, terms, filter.repositoryId))
    .selectFrom('issue_counts')
    .where(ofKind(filter))
    .where(scope.counts)
    .where((where) => where.and(attributes.map((attribute) => hasAttribute(attribute, sql.ref('issue_counts.id')))));
  // SQLite needs as long to count them as to read them, and as long again for a page.
  if (context.database.dialect === 'sqlite') {
    const rows = await cachedRows(context.db, found.select([column('id'), column('created_at')]).limit(FEW));
    if (rows.length < FEW) {
      const newestFirst = rows.sort((a, b) => b.created_at - a.created_at || b.id - a.id);
      return { total: rows.length, ids: newestFirst.map(({ id }) => id) };
    }
  }
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { total: Number(total) };
}

async function countOf(matching: ReturnType<CountScope['matching']>): Promise<number> {
  const { count } = await matching.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

function withoutAttributes({
  labels: _l,
  milestoneIds: _m,
  authorId: _a,
  assigneeId: _s,
  mentionedId: _p,
  ...rest
}: IssueFilter): IssueFilter {
  return rest;
}

/** Whether the filter has only kind and state. */
export function isPlain({ isPull: _isPull, isClosed: _isClosed, repositoryId: _repositoryId, span, ...rest }: IssueFilter): boolean {
  const conditions = [...Object.values(rest), span?.since, span?.before];
  return conditions.every((value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0));
}
