import { notArchived, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { idParameter } from '../../issues/requirements.ts';
import { pullIndex, pullsOn } from '../requirements.ts';
import { findReviewers } from '../reviewers.ts';
import { loadPull } from './load.ts';
import { presentReviews } from './present.ts';
import { requestReviews, takeBackRequests } from './requests.ts';
import { resolveConversation } from './resolve.ts';
import { PullReview, PullReviewRequestOptions } from './schema.ts';

const REQUESTED = '/repos/:owner/:repo/pulls/:index/requested_reviewers';
const AT_COMMENT = '/repos/:owner/:repo/pulls/comments/:id';

const common = { scope: 'repository', tag: 'repository' } as const;

/** Review requests, and conversations about code. */
export const requestRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'POST',
    path: REQUESTED,
    id: 'repoCreatePullReviewRequests',
    summary: 'Requests reviews of users and teams; the response leaves out requests that existed',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn],
    body: PullReviewRequestOptions,
    bodyParameter: { required: true },
    responses: { 201: array(ref(PullReview)) },
    handle: async ({ body, ...input }, context) => {
      const pull = await loadPull(input, context);
      const requested = await findReviewers(context, input.repository, body);
      return presentReviews(context, await requestReviews(context, pull, requested), pull.issue);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: REQUESTED,
    id: 'repoDeletePullReviewRequests',
    summary: 'Removes review requests',
    parameters: pullIndex,
    needs: [...pullsOn, signedIn],
    body: PullReviewRequestOptions,
    bodyParameter: { required: true },
    responses: { 204: null },
    handle: async ({ body, ...input }, context) => {
      const pull = await loadPull(input, context);
      await takeBackRequests(context, pull, await findReviewers(context, input.repository, body));
      return empty(204);
    },
  }),
  ...([true, false] as const).map((isResolved) =>
    repositoryRoute({
      ...common,
      method: 'POST',
      path: `${AT_COMMENT}/${isResolved ? 'resolve' : 'unresolve'}`,
      id: isResolved ? 'repoResolvePullReviewComment' : 'repoUnresolvePullReviewComment',
      summary: isResolved ? 'Marks a conversation about code as resolved' : 'Marks a conversation about code as unresolved',
      parameters: idParameter,
      needs: [...pullsOn, signedIn, notArchived],
      responses: { 204: null },
      also: [400, 423],
      handle: async (input, context) => {
        await resolveConversation(context, input, isResolved);
        return empty(204);
      },
    }),
  ),
];
