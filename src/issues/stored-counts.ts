import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import type { Attribute, PlainAttribute } from './attribute.ts';
import type { IssueFilter } from './issue-filter.ts';

/** The attributes that a filter requires: issues must have all of them. */
export function attributesOf({ labels = [], milestoneIds = [], authorId, assigneeId, mentionedId }: IssueFilter): Attribute[] {
  const person = (mark: PlainAttribute, id: number | undefined) => (id === undefined ? [] : [{ mark, ids: [id] }]);
  return [
    ...person('author', authorId),
    ...person('assignee', assigneeId),
    ...person('mention', mentionedId),
    ...(milestoneIds.length > 0 ? [{ mark: 'milestone' as const, ids: milestoneIds }] : []),
    ...labels.map((ids) => ({ mark: 'label' as const, ids })),
  ];
}

/**
 * The number of issues of the filter's kind and state with each of the attributes, from the stored counts; an issue with several labels
 * of one attribute counts for each.
 * @param within the condition on the repositories
 */
export async function countByAttribute(
  { db }: Context,
  filter: IssueFilter,
  attributes: readonly Attribute[],
  within: (where: ExpressionBuilder<Tables, 'issue_counts'>) => Expression<SqlBool>,
): Promise<number[]> {
  if (attributes.length === 0) return [];
  const rows = await db
    .selectFrom('issue_counts')
    .select(['mark', 'mark_id', (select) => select.fn.sum<number>('count').as('count')])
    .where((where) => where.or(attributes.map(({ mark, ids }) => where.and([where('mark', '=', mark), where('mark_id', 'in', [...ids])]))))
    .where(within)
    .where(ofKind(filter))
    .groupBy(['mark', 'mark_id'])
    .execute();
  return attributes.map(({ mark, ids }) =>
    rows.reduce((sum, row) => sum + (row.mark === mark && ids.includes(row.mark_id) ? Number(row.count) : 0), 0),
  );
}

/** Whether no issue can have two of the ids of an attribute, so that their counts can be added. */
export function isDisjoint({ mark, ids }: Attribute): boolean {
  return mark !== 'label' || ids.length === 1;
}

/** The condition that counts are of the filter's kind and state. */
export function ofKind({ isPull, isClosed }: IssueFilter) {
  return (where: ExpressionBuilder<Tables, 'issue_counts'>): Expression<SqlBool> =>
    where.and([
      ...(isPull === undefined ? [] : [where('is_pull', '=', isPull)]),
      ...(isClosed === undefined ? [] : [where('is_closed', '=', isClosed)]),
    ]);
}
