import type { RepositoryAccess } from '../../access/repository-access.ts';
import { signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { ReviewType } from '../../database/tables/pulls.ts';
import { resolveCommit } from '../../git/refs/revisions.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref, type Shape } from '../../http/schema.ts';
import { canWriteIssue, type Issue } from '../../issues/find.ts';
import { idParameter } from '../../issues/requirements.ts';
import type { Pull } from '../find.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { codeCommentsOf, type NewCodeComment } from './code-comments.ts';
import { deleteReview } from './delete.ts';
import { dismissReview, undismissReview } from './dismiss.ts';
import { isShown, loadPull, loadReview } from './load.ts';
import { presentCodeComments, presentReview, presentReviews } from './present.ts';
import { CreatePullReviewOptions, DismissPullReviewOptions, PullReview, PullReviewComment, SubmitPullReviewOptions } from './schema.ts';
import { type NewReview, NOT_PENDING, writeReview } from './write.ts';

const AT_REVIEWS = '/repos/:owner/:repo/pulls/:index/reviews';
const AT_REVIEW = `${AT_REVIEWS}/:id` as const;

const common = { scope: 'repository', tag: 'repository' } as const;
const ofReview = { ...common, parameters: { ...pullIndex, ...idParameter } } as const;
const changed = { 200: PullReview } as const;

/** Reviews of pull requests. */
export const reviewRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'GET',
    path: AT_REVIEWS,
    id: 'repoListPullReviews',
    summary: 'Lists the reviews of a pull request, the oldest first',
    parameters: pullIndex,
    needs: pullsOn,
    query: pageQuery,
    responses: { 200: array(ref(PullReview)) },
    handle: async ({ query, ...input }, context) => {
      const { issue } = await loadPull(input, context);
      const page = pageOf(context, query);
      const { reviews, total } = await listReviews(context, issue, page);
      return listed(await presentReviews(context, reviews, issue), total);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'POST',
    path: AT_REVIEWS,
    id: 'repoCreatePullReview',
    summary: 'Reviews a pull request',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn],
    body: CreatePullReviewOptions,
    bodyParameter: { required: true },
    responses: changed,
    handle: async ({ body, ...input }, context) => {
      const pull = await loadPull(input, context);
      refuseLocked(context, input.access, pull.issue);
      const comments = (body.comments ?? []).map(readComment);
      const type = readType(context, pull, body, comments.length > 0);
      const commitId = await readCommit(context, pull, body.commit_id);
      const review = await writeReview(context, pull, { type, body: body.body ?? '', commitId, comments });
      return presentReview(context, review, pull.issue);
    },
  }),
  repositoryRoute({
    ...ofReview,
    method: 'GET',
    path: AT_REVIEW,
    id: 'repoGetPullReview',
    summary: 'Gets a review of a pull request',
    needs: pullsOn,
    responses: { 200: PullReview },
    handle: async (input, context) => {
      const { review, pull } = await loadReview(input, context);
      return presentReview(context, review, pull.issue);
    },
  }),
  repositoryRoute({
    ...ofReview,
    method: 'POST',
    path: AT_REVIEW,
    id: 'repoSubmitPullReview',
    summary: 'Submits a pending review',
    needs: [...pullsOn, signedIn],
    body: SubmitPullReviewOptions,
    bodyParameter: { required: true },
    responses: changed,
    handle: async ({ body, ...input }, context) => {
      const { review, pull } = await loadReview(input, context);
      if (review.type !== 'pending') throw unprocessable(NOT_PENDING);
      // An administrator sees the pending reviews of others, but cannot submit them.
      if (review.reviewer_id !== context.actor?.id) throw forbidden('only the reviewer can submit a pending review');
      refuseLocked(context, input.access, pull.issue);
      // Clients know that COMMENT needs a text here, whatever comments the review has.
      const type = readType(context, pull, body, false);
      if (type === 'pending') throw unprocessable('review stay pending');
      const submitted = { type, body: body.body ?? '', commitId: pull.head_id, comments: [], pendingId: review.id };
      const written = await writeReview(context, pull, submitted);
      return presentReview(context, written, pull.issue);
    },
  }),
  repositoryRoute({
    ...ofReview,
    method: 'DELETE',
    path: AT_REVIEW,
    id: 'repoDeletePullReview',
    summary: 'Deletes a review of a pull request',
    needs: [...pullsOn, signedIn],
    responses: { 204: null },
    handle: async (input, context) => {
      const { review, pull } = await loadReview(input, context);
      const actor = signedInActor(context);
      if (!actor.is_admin && actor.id !== review.reviewer_id) throw forbidden('only the reviewer can delete a review');
      await deleteReview(context, pull, review);
      return empty(204);
    },
  }),
  repositoryRoute({
    ...ofReview,
    method: 'GET',
    path: `${AT_REVIEW}/comments`,
    id: 'repoGetPullReviewComments',
    summary: 'Lists the comments of a review on lines of code',
    needs: pullsOn,
    responses: { 200: array(ref(PullReviewComment)) },
    handle: async (input, context) => {
      const { review, pull } = await loadReview(input, context);
      return presentCodeComments(context, await codeCommentsOf(context, review), review, pull.issue);
    },
  }),
  repositoryRoute({
    ...ofReview,
    method: 'POST',
    path: `${AT_REVIEW}/dismissals`,
    id: 'repoDismissPullReview',
    summary: 'Dismisses a review',
    needs: [...pullsOn, signedIn],
    body: DismissPullReviewOptions,
    bodyParameter: { required: true },
    responses: changed,
    handle: async ({ body, ...input }, context) => {
      requireAdmin(context, input.access);
      const { review, pull } = await loadReview(input, context);
      const dismissed = await dismissReview(context, pull, review, { message: body.message ?? '', priors: body.priors ?? false });
      return presentReview(context, dismissed, pull.issue);
    },
  }),
  repositoryRoute({
    ...ofReview,
    method: 'POST',
    path: `${AT_REVIEW}/undismissals`,
    id: 'repoUnDismissPullReview',
    summary: 'Undoes the dismissal of a review',
    needs: [...pullsOn, signedIn],
    responses: changed,
    handle: async (input, context) => {
      requireAdmin(context, input.access);
      const { review, pull } = await loadReview(input, context);
      return presentReview(context, await undismissReview(context, pull, review), pull.issue);
    },
  }),
];

/** A page of the reviews; pending ones of others are counted, as clients expect, but not shown. */
async function listReviews(context: Context, issue: Issue, { limit, offset }: { limit: number; offset: number }) {
  const reviews = context.db.selectFrom('reviews').where('issue_id', '=', issue.id);
  const { total } = await reviews.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await reviews.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset).execute();
  return { reviews: rows.filter((review) => isShown(context, review)), total: Number(total) };
}

function requireAdmin({ actor }: Context, access: RepositoryAccess): void {
  if (!access.isAdmin && !actor?.is_admin) throw forbidden('Must be repo admin');
}

function refuseLocked({ actor }: Context, access: RepositoryAccess, issue: Issue): void {
  if (issue.is_locked && !canWriteIssue(access, issue) && !actor?.is_admin) throw forbidden('You cannot comment on a locked issue.');
}

const TYPES: Readonly<Record<string, Exclude<ReviewType, 'request' | 'pending'>>> = {
  APPROVED: 'approve',
  REQUEST_CHANGES: 'reject',
  COMMENT: 'comment',
};
const OWN = { approve: 'approve your own pull is not allowed', reject: 'reject your own pull is not allowed' } as const;

/** The type of a new review. @throws HttpError 422 for decisions about one's own pull request, and for an empty review */
function readType(
  { actor }: Context,
  { issue }: Pull,
  { event = '', body = '' }: Shape<typeof SubmitPullReviewOptions>,
  hasComments: boolean,
): NewReview['type'] {
  const type = TYPES[event] ?? 'pending';
  const isOwn = issue.author_id === actor?.id && issue.original_author_id === 0;
  if (isOwn && (type === 'approve' || type === 'reject')) throw unprocessable(OWN[type]);
  const hasBody = body.trim() !== '';
  if (type === 'comment' && !hasBody && !hasComments) throw unprocessable(`review event ${event} requires a body or a comment`);
  if ((type === 'reject' || type === 'pending') && !hasBody) throw unprocessable(`review event ${event.slice(0, 200)} requires a body`);
  return type;
}

function readComment(comment: NonNullable<Shape<typeof CreatePullReviewOptions>['comments']>[number]): NewCodeComment {
  const { path = '', body = '', old_position: old = 0, new_position: line = 0 } = comment;
  return { path, body, line: old > 0 ? -old : line };
}

/** @throws HttpError 422 for an unknown commit */
async function readCommit({ git }: Context, pull: Pull, given: string | undefined): Promise<string> {
  if (given === undefined || given === '') return pull.head_id;
  const id = await resolveCommit(git.locate(pull.issue.repository), git.pool, given);
  if (!id) throw unprocessable(`commit does not exist: ${given.slice(0, 200)}`);
  return id;
}
