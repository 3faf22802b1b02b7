import type { RepositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { badRequest, forbidden, notFound } from '../../http/errors.ts';
import { type CommentInput, commentOf } from '../../issues/comments/find.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { findPullOfIssue, type Pull } from '../find.ts';
import { isOfficial } from './official.ts';

/** Whether the caller may resolve conversations about code. */
export async function mayResolve(context: Context, pull: Pull, access: RepositoryAccess): Promise<boolean> {
  const { actor } = context;
  if (!actor) return false;
  return actor.id === pull.issue.author_id || canWriteIssue(access, pull.issue) || (await isOfficial(context, pull, actor));
}

/**
 * Resolves a conversation about code, or reopens it. Allowed for the author of the pull request, users who may write pull requests, and
 * users whose reviews count.
 * @throws HttpError 404, 400 for anything but a comment on code, 403
 */
export async function resolveConversation(context: Context, input: CommentInput, isResolved: boolean): Promise<void> {
  const { comment, issue } = await commentOf(input, context, 'GetCommentByID');
  if (!issue.is_pull) throw badRequest('comment does not belong to a pull request');
  if (comment.kind !== 'code') throw badRequest('comment is not a review comment');
  const actor = signedInActor(context);
  const pull = await findPullOfIssue(context.db, issue);
  if (!pull) throw notFound();
  if (!(await mayResolve(context, pull, input.access))) throw forbidden('user should have permission to resolve comment');
  await context.db
    .updateTable('comments')
    .set({ resolver_id: isResolved ? actor.id : null })
    .where('id', '=', comment.id)
    .where('resolver_id', isResolved ? 'is' : 'is not', null)
    .execute();
}
