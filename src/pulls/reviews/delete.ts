import { findUserById } from '../../access/find-user.ts';
import type { Context } from '../../context.ts';
import type { ReviewRow } from '../../database/tables/pulls.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { removeAttachments } from '../../issues/attachments/remove.ts';
import { issueEvent } from '../../issues/event.ts';
import { changingIssue } from '../../issues/find.ts';
import { takeBackReferences } from '../../issues/references/references.ts';
import type { Pull } from '../find.ts';
import { restoreOfficial } from './official.ts';

/**
 * Deletes a review with all its comments; the reviewer's former decision counts again.
 * @throws HttpError 422 for a request, which has its own route for removal
 */
export async function deleteReview(context: Context, pull: Pull, review: ReviewRow): Promise<void> {
  if (review.type === 'request') throw unprocessable('review request can not be deleted using this method');
  await changingIssue(context, pull.issue, async (context, issue) => {
    const { db } = context;
    const { numDeletedRows } = await db.deleteFrom('reviews').where('id', '=', review.id).executeTakeFirst();
    if (Number(numDeletedRows) === 0) throw notFound();
    const rows = await db
      .selectFrom('comments')
      .select('id')
      .where('review_id', '=', review.id)
      .where('kind', 'in', ['code', 'review', 'dismiss_review'])
      .execute();
    for (const { id } of rows) {
      await removeAttachments(context, { comment_id: id });
      await takeBackReferences(context, issue.id, id);
    }
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.deleteFrom('comments').where('id', 'in', ids).execute();
    const reviewer = review.reviewer_id === null ? undefined : await findUserById(db, review.reviewer_id);
    if (review.is_official && reviewer) await restoreOfficial(context, { ...pull, issue }, reviewer);
    if (review.type === 'pending') return;
    await context.events.emit(context, 'review.deleted', { ...issueEvent(context, issue), reviewId: review.id });
  });
}
