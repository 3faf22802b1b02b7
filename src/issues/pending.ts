import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { CommentRow } from '../database/tables/issues.ts';
import type { Tables } from '../database/tables.ts';

/** The condition that comments do not belong to somebody else's pending review. */
export function isPublished({ actor }: Pick<Context, 'actor'>) {
  return (where: ExpressionBuilder<Tables, 'comments'>): Expression<SqlBool> =>
    where.or([
      where('comments.review_id', 'is', null),
      where('comments.author_id', '=', actor?.id ?? 0),
      where.not(
        where.exists(
          where
            .selectFrom('reviews')
            .select(sql`1`.as('one'))
            .whereRef('reviews.id', '=', 'comments.review_id')
            .where('reviews.type', '=', 'pending'),
        ),
      ),
    ]);
}

/** Whether a comment belongs to a pending review: then only its author sees it. */
export async function isPending({ db }: Pick<Context, 'db'>, { review_id: id }: Pick<CommentRow, 'review_id'>): Promise<boolean> {
  if (id === null) return false;
  const review = await db.selectFrom('reviews').select('type').where('id', '=', id).executeTakeFirst();
  return review?.type === 'pending';
}

/** Whether a comment belongs to somebody else's pending review: then it does not exist for the caller. */
export async function isHiddenComment(
  context: Pick<Context, 'db' | 'actor'>,
  comment: Pick<CommentRow, 'author_id' | 'review_id'>,
): Promise<boolean> {
  return comment.author_id !== context.actor?.id && (await isPending(context, comment));
}
