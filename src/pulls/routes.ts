import { findUser } from '../access/find-user.ts';
import { notArchived, signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { badRequest, notFound, unprocessable } from '../http/errors.ts';
import { listed, pageOf } from '../http/paging.ts';
import { type AnyRoute, pageQuery, type QueryParameter, query } from '../http/route.ts';
import { array, ref } from '../http/schema.ts';
import { findAssignable, firstAssignees } from '../issues/assignees/assignees.ts';
import { deadlineSeconds } from '../issues/deadline.ts';
import { inOrderOfCreation } from '../issues/labels/present.ts';
import { findMilestone } from '../issues/milestones/find.ts';
import { presentMilestone } from '../issues/milestones/present.ts';
import { listPinned } from '../issues/pins/pins.ts';
import { findBranches } from './branches.ts';
import { pullOfBranches } from './by-branches.ts';
import { pullCommitRoutes } from './commits/routes.ts';
import { createPull, refuseSecond } from './create.ts';
import { pullDiffRoutes } from './diff/routes.ts';
import { pullEditRoutes } from './edit-routes.ts';
import { pullFileRoutes } from './files/routes.ts';
import { pullOf } from './find.ts';
import { findPullsOfIssues, listPulls, PULL_SORTS, type PullFilter } from './list.ts';
import { pullMergeRoutes } from './merge/routes.ts';
import { presentPinnedPull, presentPull, presentPulls } from './present.ts';
import { pullIndex, pullsOn } from './requirements.ts';
import { findReviewers } from './reviewers.ts';
import { requestRoutes } from './reviews/request-routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { CreatePullRequestOption, PullRequest } from './schema.ts';
import { pullUpdateRoutes } from './update/routes.ts';

const labelsQuery: QueryParameter<string[]> = {
  type: 'array',
  items: { type: 'integer', format: 'int64' },
  collectionFormat: 'multi',
  description: 'ids of labels: only pull requests with one of them',
};

/** Opening and reading pull requests. */
const coreRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls',
    id: 'repoListPullRequests',
    summary: 'Lists the pull requests of a repository',
    scope: 'repository',
    needs: pullsOn,
    query: {
      base_branch: query.string('only those that are to be merged into this branch'),
      state: query.string('whether open, closed or all', { enum: ['open', 'closed', 'all'] }),
      sort: query.string('how they are sorted; the newest first when left out', { enum: PULL_SORTS }),
      milestone: query.int64('the id of a milestone: only what is in it'),
      labels: labelsQuery,
      poster: query.string('only what this user opened'),
      ...pageQuery,
    },
    responses: { 200: array(ref(PullRequest)) },
    also: [400],
    handle: async ({ repository, query, request }, context) => {
      const page = pageOf(context, query);
      const poster = query.poster ? await findUser(context.db, query.poster) : undefined;
      if (query.poster && !poster) throw badRequest(`user does not exist [uid: 0, name: ${query.poster}]`);
      const state = query.state?.trim();
      const filter: PullFilter = {
        isClosed: state === 'open' || state === 'closed' ? state === 'closed' : undefined,
        baseBranch: query.base_branch?.trim() || undefined,
        milestoneId: query.milestone && query.milestone > 0 ? query.milestone : undefined,
        labelIds: readIds(query.labels),
        authorId: poster?.id,
      };
      const { pulls, total } = await listPulls(context, repository, filter, query.sort?.trim(), page);
      return listed(await presentPulls(context, pulls), total, { url: request.url, ...page });
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/pulls',
    id: 'repoCreatePullRequest',
    summary: 'Opens a pull request',
    scope: 'repository',
    needs: [...pullsOn, signedIn, notArchived],
    body: CreatePullRequestOption,
    responses: { 201: PullRequest },
    also: [400, 409, 423],
    handle: async ({ repository, body }, context) => {
      const branches = await findBranches(context, repository, body);
      await refuseSecond(context, { ...branches, flow: 'branch', authorId: signedInActor(context).id });
      const { milestone = 0, labels = [] } = body;
      const planned = milestone > 0 ? await findMilestone(context.db, repository.id, milestone) : undefined;
      if (milestone > 0 && !planned) throw notFound();
      const assigned = await findAssignable(context, repository, firstAssignees(body));
      const reviewers = await findReviewers(context, repository, body);
      const pull = await createPull(context, {
        ...branches,
        flow: 'branch',
        title: body.title,
        body: body.body ?? '',
        assignees: assigned,
        deadline: deadlineSeconds(body.due_date),
        milestoneId: planned?.id ?? null,
        labelIds: labels,
        allowMaintainerEdit: body.allow_maintainer_edit ?? repository.units.pulls?.defaultAllowMaintainerEdit ?? false,
        reviewers: reviewers.users,
        reviewerTeams: reviewers.teams,
      });
      const shown = await presentPull(context, pull);
      // As clients expect, the milestone here is the former one, and the labels are in the order of their creation.
      return { ...shown, labels: inOrderOfCreation(shown.labels), milestone: planned ? presentMilestone(planned) : null };
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:index',
    id: 'repoGetPullRequest',
    summary: 'Gets a pull request',
    scope: 'repository',
    parameters: pullIndex,
    needs: pullsOn,
    responses: { 200: PullRequest },
    handle: async (input, context) => presentPull(context, await pullOf(input, context)),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:base/*',
    id: 'repoGetPullRequestByBaseHead',
    summary: 'Gets a pull request by its base and head branch',
    scope: 'repository',
    parameters: {
      base: { description: 'the branch that it is to be merged into' },
      head: { description: 'branch, owner:branch or owner/repository:branch' },
    },
    needs: pullsOn,
    responses: { 200: PullRequest },
    handle: async ({ repository, params }, context) =>
      presentPull(context, await pullOfBranches(context, repository, params.base, params['*'])),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/pinned',
    id: 'repoListPinnedPullRequests',
    summary: 'Lists the pinned pull requests of a repository',
    scope: 'repository',
    needs: pullsOn,
    responses: { 200: array(ref(PullRequest)) },
    handle: async ({ repository }, context) => {
      const issues = await listPinned(context, repository, 'pulls');
      const pulls = await findPullsOfIssues(
        context,
        repository,
        issues.map(({ id }) => id),
      );
      return Promise.all(pulls.map((pull) => presentPinnedPull(context, pull)));
    },
  }),
];

const MAX_LABELS = 100;

function readIds(texts: readonly string[] | undefined): number[] | undefined {
  const given = (texts ?? []).filter((text) => text !== '');
  if (given.length === 0) return undefined;
  if (given.length > MAX_LABELS) throw unprocessable(`more than ${MAX_LABELS} labels`);
  return given.map((text) => {
    if (!/^-?\d{1,15}$/.test(text)) throw unprocessable(`${text} is not the id of a label`);
    return Number(text);
  });
}

/** Everything about pull requests. */
export const pullRoutes: readonly AnyRoute[] = [
  ...coreRoutes,
  ...pullEditRoutes,
  ...pullCommitRoutes,
  ...pullFileRoutes,
  ...pullDiffRoutes,
  ...reviewRoutes,
  ...requestRoutes,
  ...pullMergeRoutes,
  ...pullUpdateRoutes,
];
