import { signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import type { Context } from '../context.ts';
import { badRequest } from '../http/errors.ts';
import { listed, pageOf } from '../http/paging.ts';
import { HttpResponse } from '../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../http/route.ts';
import { array, ref } from '../http/schema.ts';
import { readTime, readTimeRange, timeRangeQuery } from '../http/time-range.ts';
import { countUnread, findThread, listThreads, markThread, markThreads } from './notifications.ts';
import { presentThreads } from './present.ts';
import { NotificationCount, NotificationThread } from './schema.ts';
import { parseSources, parseStatus, parseStatuses } from './status.ts';

const several = { collectionFormat: 'multi' } as const;

const listQuery = {
  all: query.boolean('with those that have been read'),
  'status-types': query.list('only of these statuses: unread, read, pinned; unread and pinned when left out', several),
  'subject-type': query.list('only about these', {
    ...several,
    items: { type: 'string', enum: ['issue', 'pull', 'commit', 'repository'] },
  }),
  ...timeRangeQuery,
  ...pageQuery,
};

const markQuery = {
  last_read_at: query.string('only what was not updated after this time (RFC 3339)', { format: 'date-time' }),
  all: query.string('true: whatever the status'),
  'status-types': query.list('only of these statuses: unread, read, pinned; unread when left out', several),
  'to-status': query.string('the new status: unread, read or pinned; read when left out'),
};

const common = { scope: 'notification', tag: 'notification', needs: [signedIn] } as const;
/** The notifications of a user come from public and private repositories alike. */
const mixed = { ...common, refusesPublicOnly: true } as const;
const listResponses = { 200: array(ref(NotificationThread)) };
const markResponses = { 205: array(ref(NotificationThread)) };

type QueryValues<Q> = { [K in keyof Q]?: Q[K] extends { is?: infer T } ? T : never };

/** Notifications of the caller. */
export const notificationRoutes: readonly AnyRoute[] = [
  route({
    ...mixed,
    method: 'GET',
    path: '/notifications',
    id: 'notifyGetList',
    summary: 'Lists the notifications of the caller, the latest first',
    query: listQuery,
    responses: listResponses,
    handle: async ({ query, request }, context) => list(context, query, request.url),
  }),
  route({
    ...mixed,
    method: 'PUT',
    path: '/notifications',
    id: 'notifyReadList',
    summary: 'Marks notifications of the caller as read, unread or pinned',
    query: markQuery,
    responses: markResponses,
    also: [400],
    handle: async ({ query }, context) => mark(context, query),
  }),
  route({
    ...mixed,
    method: 'GET',
    path: '/notifications/new',
    id: 'notifyNewAvailable',
    summary: 'Counts the unread notifications of the caller',
    responses: { 200: NotificationCount },
    handle: async (_, context) => ({ new: await countUnread(context, signedInActor(context).id) }),
  }),
  route({
    ...mixed,
    method: 'GET',
    path: '/notifications/threads/:id',
    id: 'notifyGetThread',
    summary: 'Gets a notification',
    parameters: { id: { description: 'id of the notification' } },
    responses: { 200: NotificationThread },
    handle: async ({ params }, context) => {
      const thread = await findThread(context, params.id, signedInActor(context), 'read');
      return (await presentThreads(context, [thread]))[0];
    },
  }),
  route({
    ...mixed,
    method: 'PATCH',
    path: '/notifications/threads/:id',
    id: 'notifyReadThread',
    summary: 'Marks a notification as read, unread or pinned',
    parameters: { id: { description: 'id of the notification' } },
    query: { 'to-status': query.string('the new status: unread, read or pinned', { default: 'read' }) },
    responses: { 205: NotificationThread },
    handle: async ({ params, query }, context) => {
      const thread = await findThread(context, params.id, signedInActor(context), 'change');
      const marked = await markThread(context, thread, parseStatus(query['to-status']) ?? 'read');
      return (await presentThreads(context, [marked]))[0];
    },
  }),
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/notifications',
    id: 'notifyGetRepoList',
    summary: 'Lists the notifications of the caller about a repository, the latest first',
    query: listQuery,
    responses: listResponses,
    handle: async ({ repository, query, request }, context) => list(context, query, request.url, repository.id),
  }),
  repositoryRoute({
    ...common,
    method: 'PUT',
    path: '/repos/:owner/:repo/notifications',
    id: 'notifyReadRepoList',
    summary: 'Marks notifications of the caller about a repository as read, unread or pinned',
    query: markQuery,
    responses: markResponses,
    also: [400],
    handle: async ({ repository, query }, context) => mark(context, query, repository.id),
  }),
];

async function list(context: Context, query: QueryValues<typeof listQuery>, url: string, repositoryId?: number) {
  const page = pageOf(context, query);
  const { threads, total } = await listThreads(
    context,
    {
      userId: signedInActor(context).id,
      repositoryId,
      statuses: query.all ? [] : parseStatuses(query['status-types'] ?? [], ['unread', 'pinned']),
      sources: parseSources(query['subject-type'] ?? []),
      span: readTimeRange(query),
    },
    page,
  );
  return listed(await presentThreads(context, threads), total, { url, ...page });
}

async function mark(context: Context, query: QueryValues<typeof markQuery>, repositoryId?: number) {
  const all = /^(?:1|t|true)$/i.test(query.all ?? '');
  const filter = {
    userId: signedInActor(context).id,
    repositoryId,
    statuses: all ? [] : parseStatuses(query['status-types'] ?? [], ['unread']),
    span: { since: undefined, before: readTime(query.last_read_at, badRequest) },
  };
  const threads = await markThreads(context, filter, parseStatus(query['to-status']) ?? 'read');
  return new HttpResponse(await presentThreads(context, threads), { status: 205 });
}
