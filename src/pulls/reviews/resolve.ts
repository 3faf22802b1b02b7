import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { badRequest, forbidden, notFound } from '../../http/errors.ts';
import { type CommentInput, commentOf } from '../../issues/comments/find.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { findPullOfIssue } from '../find.ts';
import { isOfficial } from './official.ts';

/**
 * Marks a conversation about code as resolved, or takes the mark back. The author of the pull request may, who writes pull requests,
 * and whose reviews count.
 * @throws HttpError 404, 400 for what is no comment on code, 403
 */
export async function resolveConversation(context: Context, input: CommentInput, isResolved: boolean): Promise<void> {
  const { comment, issue } = await commentOf(input, context, 'GetCommentByID');
  if (!issue.is_pull) throw badRequest('comment does not belong to a pull request');
  if (comment.kind !== 'code') throw badRequest('comment is not a review comment');
  const actor = signedInActor(context);
  const pull = await findPullOfIssue(context.db, issue);
  if (!pull) throw notFound();
  const may = actor.id === issue.author_id || canWriteIssue(input.access, issue) || (await isOfficial(context, pull, actor));
  if (!may) throw forbidden('user should have permission to resolve comment');
  await context.db
    .updateTable('comments')
    .set({ resolver_id: isResolved ? actor.id : null })
    .where('id', '=', comment.id)
    .where('resolver_id', isResolved ? 'is' : 'is not', null)
    .execute();
}
