import { signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, ref, wireTime } from '../../http/schema.ts';
import { canWriteIssue, type Issue, type IssueInput, issueOf } from '../find.ts';
import { issuesOrPulls } from '../requirements.ts';
import { durationInWords } from '../times/duration.ts';
import { mayTrackTime, trackingForbidden } from '../times/tracking.ts';
import { StopWatch } from './schema.ts';
import { cancelStopwatch, runningStopwatch, startStopwatch, stopStopwatch } from './stopwatches.ts';

const common = {
  scope: 'issue',
  tag: 'issue',
  needs: [issuesOrPulls, signedIn],
  parameters: { index: { type: 'integer', format: 'int64', description: 'number of the issue' } },
} as const;

/** Stopwatches on issues; each user has one. */
export const stopwatchRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:index/stopwatch/start',
    id: 'issueStartStopWatch',
    summary: 'Starts a stopwatch of the caller on an issue',
    responses: { 201: null, 403: null },
    also: [409],
    handle: async (input, context) => {
      await startStopwatch(context, await trackedIssue(input, context));
      return empty(201);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:index/stopwatch/stop',
    id: 'issueStopStopWatch',
    summary: 'Stops the stopwatch of the caller and logs its time',
    responses: { 201: null, 403: null },
    also: [409],
    handle: async (input, context) => {
      await stopStopwatch(context, await trackedIssue(input, context));
      return empty(201);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/:index/stopwatch/delete',
    id: 'issueDeleteStopWatch',
    summary: 'Deletes the stopwatch of the caller without logging its time',
    responses: { 204: null, 403: null },
    also: [409],
    handle: async (input, context) => {
      await cancelStopwatch(context, await trackedIssue(input, context));
      return empty(204);
    },
  }),
  route({
    method: 'GET',
    path: '/user/stopwatches',
    id: 'userGetStopWatches',
    summary: 'Lists the running stopwatches of the caller',
    scope: 'user',
    tag: 'user',
    needs: [signedIn],
    refusesPublicOnly: true,
    query: pageQuery,
    responses: { 200: array(ref(StopWatch)) },
    handle: async ({ query }, context) => {
      const running = await runningStopwatch(context, signedInActor(context));
      const shapes = running ? [present(running.issue, running.stopwatch.created_at)] : [];
      return listed(shapes.slice(pageOf(context, query).offset), shapes.length);
    },
  }),
];

async function trackedIssue(input: IssueInput, context: Context): Promise<Issue> {
  const issue = await issueOf(input, context);
  if (!canWriteIssue(input.access, issue) || !(await mayTrackTime(context, issue, input.access))) throw trackingForbidden();
  return issue;
}

function present({ number, title, repository }: Issue, startedAt: number) {
  const seconds = Math.max(0, now() - startedAt);
  return {
    created: wireTime(startedAt),
    seconds,
    duration: durationInWords(seconds),
    issue_index: number,
    issue_title: title,
    repo_owner_name: repository.owner.name,
    repo_name: repository.name,
  };
}
