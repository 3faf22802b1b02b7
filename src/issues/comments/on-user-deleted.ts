import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { findIssuesById } from '../find.ts';
import { deleteComment } from './comments.ts';

const BATCH = 200;

/** Deletes the comments of a deleted account, if requested. Always in the order of repositories, see issues/find.ts. */
export async function deleteCommentsOf({ userId, withComments }: Events['user.deleting'], context: Context): Promise<void> {
  while (withComments) {
    const comments = await context.db
      .selectFrom('comments')
      .selectAll()
      .where('author_id', '=', userId)
      .where('kind', '=', 'comment')
      .orderBy('repository_id')
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (comments.length === 0) return;
    const issues = await findIssuesById(
      context.db,
      comments.map((comment) => comment.issue_id),
    );
    for (const comment of comments) {
      const issue = issues.get(comment.issue_id);
      if (issue) await deleteComment(context, comment, issue);
      // Repositories that are being deleted are deleted completely anyway.
      else await context.db.deleteFrom('comments').where('id', '=', comment.id).execute();
    }
  }
}
