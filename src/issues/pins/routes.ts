import { canRead, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { unprocessable } from '../../http/errors.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { issueOf } from '../find.ts';
import { presentIssues, withAssigneesByName } from '../present.ts';
import { issuesOrPulls } from '../requirements.ts';
import { Issue } from '../schema.ts';
import { canPinMore, listPinned, movePin, pinIssue, unpinIssue } from './pins.ts';
import { NewIssuePinsAllowed } from './schema.ts';

const index = { type: 'integer', format: 'int64', description: 'number of the issue' } as const;
const onIssue = {
  scope: 'issue',
  tag: 'issue',
  needs: [issuesOrPulls, signedIn, repositoryAdmin],
  parameters: { index },
  responses: { 204: null },
} as const;

/** Pinned issues. */
export const pinRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...onIssue,
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:index/pin',
    id: 'pinIssue',
    summary: 'Pins an issue',
    handle: async (input, context) => {
      await pinIssue(context, await issueOf(input, context));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...onIssue,
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/:index/pin',
    id: 'unpinIssue',
    summary: 'Unpins an issue',
    handle: async (input, context) => {
      await unpinIssue(context, await issueOf(input, context));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...onIssue,
    method: 'PATCH',
    path: '/repos/:owner/:repo/issues/:index/pin/:position',
    id: 'moveIssuePin',
    summary: 'Moves a pinned issue to another position',
    parameters: { index, position: { type: 'integer', format: 'int64', description: 'the new place, from 1' } },
    handle: async (input, context) => {
      const issue = await issueOf(input, context);
      if (!/^\d{1,9}$/.test(input.params.position)) throw unprocessable('the position is not a number');
      await movePin(context, issue, Number(input.params.position));
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issues/pinned',
    id: 'repoListPinnedIssues',
    summary: 'Lists the pinned issues of a repository',
    scope: 'issue',
    tag: 'repository',
    needs: [issuesOrPulls, canRead('issues')],
    responses: { 200: array(ref(Issue)) },
    handle: async ({ repository }, context) =>
      (await presentIssues(context, await listPinned(context, repository, 'issues'))).map(withAssigneesByName),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/new_pin_allowed',
    id: 'repoNewPinAllowed',
    summary: 'Checks whether one more issue or pull request can be pinned',
    scope: 'repository',
    responses: { 200: NewIssuePinsAllowed },
    handle: async ({ repository: { id } }, context) => ({
      issues: await canPinMore(context, { repository_id: id, is_pull: false }),
      pull_requests: await canPinMore(context, { repository_id: id, is_pull: true }),
    }),
  }),
];
