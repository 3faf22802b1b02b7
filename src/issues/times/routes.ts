import { findUser } from '../../access/find-user.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import { signedIn, unitOn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { TrackedTimeRow } from '../../database/tables/issue-activity.ts';
import { badRequest, forbidden, HttpError, notFound, notFoundBecause } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { readTimeRange, timeRangeQuery } from '../../http/time-range.ts';
import type { Issue } from '../find.ts';
import { loadIssue } from '../load.ts';
import { issuesOrPulls } from '../requirements.ts';
import { presentTimes } from './present.ts';
import { AddTimeOption, TrackedTime } from './schema.ts';
import { addTime, deleteTime, listOwnTimes, listTimes, resetTimes } from './times.ts';
import { mayTrackTime, trackingForbidden, tracksTime } from './tracking.ts';

const DISABLED = 'time tracking disabled';
/** Maximum number of entries in a response without pages. */
const MAX_UNPAGED = 1000;

const index = { type: 'integer', format: 'int64', description: 'number of the issue' } as const;
const onIssue = { scope: 'issue', tag: 'issue', needs: [issuesOrPulls, signedIn], parameters: { index } } as const;
const onRepository = { scope: 'repository', tag: 'repository', needs: [unitOn('issues'), signedIn] } as const;
const listQuery = { user: query.string('only entries of this user, by name'), ...timeRangeQuery, ...pageQuery };

/** Tracked times of issues, of repositories and of the caller. */
export const timeRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...onIssue,
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index/times',
    id: 'issueTrackedTimes',
    summary: 'Lists the time spent on an issue; callers who may not write see only their own',
    query: listQuery,
    responses: { 200: array(ref(TrackedTime)) },
    handle: async (input, context) => {
      if (!tracksTime(context, input.repository)) throw notFound(null, 'Timetracker is disabled');
      const issue = await loadIssue(input, context);
      const userId = await requestedUserId(context, input.access, input.query.user);
      const filter = { issueId: issue.id, userId, span: readTimeRange(input.query) };
      return timesResponse(context, await listTimes(context, filter, pageOf(context, input.query)));
    },
  }),
  repositoryRoute({
    ...onIssue,
    method: 'POST',
    path: '/repos/:owner/:repo/issues/:index/times',
    id: 'issueAddTime',
    summary: 'Logs time spent on an issue',
    body: AddTimeOption,
    responses: { 200: ref(TrackedTime), 403: null },
    also: [400],
    handle: async (input, context) => {
      const { body, access } = input;
      const issue = await loadIssue(input, context);
      await refuseTracking(context, issue, access, badRequest(DISABLED));
      const user = await findWorker(context, access, body.user_name ?? '');
      const time = await addTime(context, issue, user, body.time, workedAt(body.created));
      return (await presentTimes(context, [time]))[0];
    },
  }),
  repositoryRoute({
    ...onIssue,
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/:index/times',
    id: 'issueResetTime',
    summary: 'Deletes the time that the caller spent on an issue',
    responses: { 204: null, 403: null },
    also: [400],
    handle: async (input, context) => {
      const issue = await loadIssue(input, context);
      await refuseTracking(context, issue, input.access, disabledPlainly());
      await resetTimes(context, issue, signedInActor(context));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...onIssue,
    method: 'DELETE',
    path: '/repos/:owner/:repo/issues/:index/times/:id',
    id: 'issueDeleteTime',
    summary: 'Deletes one entry of time spent on an issue',
    parameters: { index, id: { type: 'integer', format: 'int64', description: 'id of the entry' } },
    responses: { 204: null, 403: null },
    also: [400],
    handle: async (input, context) => {
      const issue = await loadIssue(input, context);
      await refuseTracking(context, issue, input.access, disabledPlainly());
      await deleteTime(context, issue, input.params.id, signedInActor(context));
      return empty(204);
    },
  }),
  repositoryRoute({
    ...onRepository,
    method: 'GET',
    path: '/repos/:owner/:repo/times',
    id: 'repoTrackedTimes',
    summary: 'Lists the time spent on the issues of a repository; callers who may not write see only their own',
    query: listQuery,
    responses: { 200: array(ref(TrackedTime)) },
    also: [400],
    handle: async ({ repository, access, query }, context) => {
      if (!tracksTime(context, repository)) throw badRequest(DISABLED);
      const userId = await requestedUserId(context, access, query.user);
      const filter = { repositoryId: repository.id, userId, span: readTimeRange(query) };
      return timesResponse(context, await listTimes(context, filter, pageOf(context, query)));
    },
  }),
  repositoryRoute({
    ...onRepository,
    method: 'GET',
    path: '/repos/:owner/:repo/times/:user',
    id: 'userTrackedTimes',
    summary: 'Lists the time that a user spent on the issues of a repository',
    deprecated: true,
    parameters: { user: { description: 'name of the user' } },
    responses: { 200: array(ref(TrackedTime)) },
    also: [400],
    handle: async ({ repository, access, params }, context) => {
      if (!tracksTime(context, repository)) throw badRequest(DISABLED);
      const user = await findUser(context.db, params.user);
      if (!user) throw notFound([`user does not exist [uid: 0, name: ${params.user}]`]);
      const actor = signedInActor(context);
      if (!access.isAdmin && !actor.is_admin && actor.id !== user.id) throw forbidden('query by user not allowed; not enough rights');
      const filter = { repositoryId: repository.id, userId: user.id };
      return presentTimes(context, (await listTimes(context, filter, { limit: MAX_UNPAGED, offset: 0 })).times);
    },
  }),
  route({
    method: 'GET',
    path: '/user/times',
    id: 'userCurrentTrackedTimes',
    summary: 'Lists the time that the caller spent on issues',
    scope: 'user',
    tag: 'user',
    needs: [signedIn],
    refusesPublicOnly: true,
    query: { ...pageQuery, ...timeRangeQuery },
    responses: { 200: array(ref(TrackedTime)) },
    handle: async ({ query }, context) =>
      timesResponse(context, await listOwnTimes(context, signedInActor(context), readTimeRange(query), pageOf(context, query))),
  }),
];

async function timesResponse(context: Context, { times, total }: { times: TrackedTimeRow[]; total: number }) {
  return listed(await presentTimes(context, times), total);
}

/** The user of the listed entries: others than the caller only for writers. */
async function requestedUserId(context: Context, access: RepositoryAccess, given = ''): Promise<number | undefined> {
  const name = given.trim();
  const user = name === '' ? undefined : await findUser(context.db, name);
  if (name !== '' && !user) throw notFoundBecause(`user does not exist [uid: 0, name: ${name}]`);
  const actor = signedInActor(context);
  if (actor.is_admin || access.isAdmin || access.canWrite('issues')) return user?.id;
  if (user && user.id !== actor.id) throw forbidden('query by user not allowed; not enough rights');
  return actor.id;
}

/** The user of a new entry: the caller, unless an administrator names somebody else. */
async function findWorker(context: Context, access: RepositoryAccess, name: string): Promise<User> {
  const actor = signedInActor(context);
  if (name === '' || name.toLowerCase() === actor.lower_name || !(access.isAdmin || actor.is_admin)) return actor;
  const user = await findUser(context.db, name);
  if (user?.type !== 'individual') throw notFoundBecause(`user does not exist [uid: 0, name: ${name}]`);
  return user;
}

async function refuseTracking(context: Context, issue: Issue, access: RepositoryAccess, whereOff: HttpError): Promise<void> {
  if (!tracksTime(context, issue.repository)) throw whereOff;
  if (!(await mayTrackTime(context, issue, access))) throw trackingForbidden();
}

/** This refusal has its own field name for the message, as clients expect. */
function disabledPlainly(): HttpError {
  return new HttpError(400, DISABLED, { body: { Message: DISABLED } });
}

/** When work was done, in seconds; undefined for none, which some clients send as the year 1. */
function workedAt(text: string | undefined): number | undefined {
  return text === undefined || text.startsWith('0001-01-01T00:00:00') ? undefined : Math.floor(Date.parse(text) / 1000);
}
