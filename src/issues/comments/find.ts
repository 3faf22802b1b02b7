import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import { notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { canReadIssue, type Issue } from '../find.ts';
import { isHiddenComment } from '../pending.ts';

/** The input of a route about one comment. */
export interface CommentInput {
  repository: Repository;
  access: RepositoryAccess;
  params: { id: string };
}

/**
 * The comment, or other timeline row, with the id of a path, and its issue: only if it belongs to the repository of the path and the
 * caller may see the issue.
 * @param message the message of the 404
 * @throws HttpError 404
 */
export async function commentOf(
  { repository, access, params }: CommentInput,
  context: Pick<Context, 'db' | 'actor'>,
  message = 'not found',
): Promise<{ comment: CommentRow; issue: Issue }> {
  const { db } = context;
  const id = pathId(params.id);
  const comment = await db
    .selectFrom('comments')
    .selectAll()
    .where('id', '=', id)
    .where('repository_id', '=', repository.id)
    .executeTakeFirst();
  if (!comment || (await isHiddenComment(context, comment))) throw notFound([`comment does not exist [id: ${id}, issue_id: 0]`], message);
  const row = await db.selectFrom('issues').selectAll().where('id', '=', comment.issue_id).executeTakeFirst();
  if (!row || !canReadIssue(access, row)) throw notFound();
  return { comment, issue: { ...row, repository } };
}
