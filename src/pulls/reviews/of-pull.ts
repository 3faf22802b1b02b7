import type { Context } from '../../context.ts';
import type { ReviewRow } from '../../database/tables/pulls.ts';
import type { Issue } from '../../issues/find.ts';
import { isShown } from './load.ts';
import type { CodeComment } from './present.ts';

/** A review with its comments on lines of code. */
export interface ReviewWithComments {
  readonly review: ReviewRow;
  readonly comments: readonly CodeComment[];
}

/** Maximum number of comments of one pull request on a page. */
const MAX_COMMENTS = 5_000;

/** The reviews of a pull request that the caller may see, oldest first, with their comments on lines of code. */
export async function reviewsOfPull(context: Context, issue: Issue): Promise<ReviewWithComments[]> {
  const { db } = context;
  const all = await db.selectFrom('reviews').selectAll().where('issue_id', '=', issue.id).orderBy('created_at').orderBy('id').execute();
  const reviews = all.filter((review) => isShown(context, review));
  const comments = await db
    .selectFrom('comments')
    .innerJoin('code_comments', 'code_comments.comment_id', 'comments.id')
    .selectAll(['comments', 'code_comments'])
    .where('comments.issue_id', '=', issue.id)
    .where('comments.kind', '=', 'code')
    .orderBy('comments.created_at')
    .orderBy('comments.id')
    .limit(MAX_COMMENTS)
    .execute();
  const byReview = Map.groupBy(comments, ({ review_id: id }) => id ?? 0);
  return reviews.map((review) => ({ review, comments: byReview.get(review.id) ?? [] }));
}
