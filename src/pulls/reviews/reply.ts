import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { refuseBlocked } from '../../issues/blocked.ts';
import { issueEvent } from '../../issues/event.ts';
import { changingIssue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import type { Pull } from '../find.ts';
import { namesInTexts, publishNames } from './texts.ts';

/**
 * Replies to a comment on a line of code, in the caller's name. The reply belongs to the same review and line.
 * @throws HttpError 404 for anything but a submitted comment on code of this pull request, 403 for blocked users, 422 for an empty reply
 */
export async function replyToComment(context: Context, pull: Pull, commentId: number, body: string): Promise<CommentRow> {
  signedInActor(context);
  if (body.trim() === '') throw unprocessable('[Body]: Required');
  await refuseBlocked(context, pull.issue);
  const names = await namesInTexts(context, pull.issue, [body]);
  return changingIssue(
    context,
    pull.issue,
    async (context, issue) => {
      const { db } = context;
      const comment = await db
        .selectFrom('comments')
        .innerJoin('code_comments', 'code_comments.comment_id', 'comments.id')
        .innerJoin('reviews', 'reviews.id', 'comments.review_id')
        .selectAll('code_comments')
        .select(['comments.review_id', 'comments.commit_id'])
        .where('comments.id', '=', commentId)
        .where('comments.issue_id', '=', issue.id)
        .where('comments.kind', '=', 'code')
        .where('reviews.type', '!=', 'pending')
        .executeTakeFirst();
      if (!comment) throw notFound();
      const { review_id, commit_id, ...place } = comment;
      const row = await addEvent(context, issue, 'code', { body, commit_id, review_id });
      await db
        .insertInto('code_comments')
        .values({ ...place, comment_id: row.id })
        .execute();
      await publishNames(context, issue, [row], names);
      const mentions = names.mentioned.map(({ id }) => id);
      await context.events.emit(context, 'comment.created', { ...issueEvent(context, issue), commentId: row.id, mentions });
      return row;
    },
    names.repositoryIds,
  );
}
