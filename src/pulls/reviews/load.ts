import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ReviewRow } from '../../database/tables/pulls.ts';
import { notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { IssueInput } from '../../issues/find.ts';
import { findPull, type Pull } from '../find.ts';

/** Loads the pull request of a path. @throws HttpError 404 */
export async function loadPull({ repository, params }: Pick<IssueInput, 'repository' | 'params'>, { db }: Context): Promise<Pull> {
  const number = pathId(params.index);
  const pull = await findPull(db, repository, number);
  if (pull) return pull;
  const baseId = number > 0 ? repository.id : 0;
  const facts = `id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${baseId}, head_branch: , base_branch: `;
  throw notFound([`pull request does not exist [${facts}]`], 'GetPullRequestByIndex');
}

/**
 * Loads the review of a path, if it belongs to the pull request and the caller may see it.
 * @throws HttpError 404
 */
export async function loadReview(
  { repository, params }: { repository: Repository; params: { index: string; id: string } },
  context: Context,
): Promise<{ review: ReviewRow; pull: Pull }> {
  const pull = await loadPull({ repository, params }, context);
  const id = pathId(params.id);
  const review = await context.db.selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirst();
  if (!review) throw notFound([`review does not exist [id: ${id}]`], 'GetReviewByID');
  if (review.issue_id !== pull.issue_id) throw notFound(null, 'ReviewNotInPR');
  if (!isShown(context, review)) throw notFound(null, 'GetReviewByID');
  return { review, pull };
}

/** A pending review is only visible to its reviewer and administrators. */
export function isShown({ actor }: Context, { type, reviewer_id: reviewerId }: ReviewRow): boolean {
  return type !== 'pending' || (actor !== null && (actor.is_admin || actor.id === reviewerId));
}
