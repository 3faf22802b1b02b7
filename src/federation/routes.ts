import { findUser, findUserById } from '../access/find-user.ts';
import { isUserVisible } from '../access/user-visibility.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { readBody } from '../http/bodies/body.ts';
import { notFound } from '../http/errors.ts';
import { raw, text } from '../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../http/route.ts';
import { object } from '../http/schema.ts';
import type { Settings } from '../settings.ts';
import { ACTIVITY_TYPE, actorDocument, actorId } from './actor.ts';
import { countFollowers, readActivity, receive } from './inbox.ts';
import { verifySigner } from './verify.ts';
import { webfinger } from './webfinger.ts';

const when = ({ federation }: Settings) => federation.enabled;
const byId = { path: '/activitypub/user-id/:userid', name: 'ById', parameters: { userid: { description: 'id of the user' } } } as const;
const byName = {
  path: '/activitypub/user/:username',
  name: 'ByName',
  parameters: { username: { description: 'name of the user' } },
} as const;

/** Actors and their inboxes (ActivityPub), and how they are found (WebFinger, RFC 7033). */
export const federationRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//.well-known/webfinger',
    id: 'webfinger',
    summary: 'Finds the actor of an account',
    open: true,
    hidden: true,
    when,
    responses: {},
    handle: async ({ request }, context) => webfinger(context, new URL(request.url).searchParams.get('resource') ?? ''),
  }),
  ...[byId, byName].flatMap(({ path, name, parameters }) => [
    route({
      method: 'GET',
      path,
      id: `activitypubPerson${name}`,
      summary: 'Gets the actor document of a user',
      tag: 'activitypub',
      scope: 'activitypub',
      when,
      parameters,
      produces: [ACTIVITY_TYPE],
      deprecated: path === byName.path,
      responses: { 200: object() },
      handle: async ({ params }, context) => activityResponse(await actorDocument(context, await actorUser(params, context))),
    }),
    route({
      method: 'POST',
      path: `${path}/inbox`,
      id: `activitypubPersonInbox${name}`,
      summary: 'Sends an activity to a user; the request has to be signed by its actor',
      tag: 'activitypub',
      scope: 'activitypub',
      open: true,
      when,
      parameters,
      body: 'stream',
      deprecated: path === byName.path,
      responses: { 202: null },
      also: [400, 401, 403],
      handle: async ({ params, request }, context) => {
        const user = await actorUser(params, context);
        const body = await readBody(request.raw, context.settings.federation.maxSize);
        const actor = await verifySigner(context, user, signedPart(request), body);
        await receive(context, user, actor, readActivity(body));
        return text('', 202);
      },
    }),
  ]),
  // No activity of users is published, so the outbox is empty.
  ...(['followers', 'outbox'] as const).map((collection) =>
    route({
      method: 'GET',
      path: `/activitypub/user-id/:userid/${collection}`,
      id: `activitypubPerson${collection === 'followers' ? 'Followers' : 'Outbox'}`,
      summary: collection === 'followers' ? 'Counts the followers of a user on other instances' : 'Gets the published activities of a user',
      tag: 'activitypub',
      scope: 'activitypub',
      when,
      parameters: byId.parameters,
      produces: [ACTIVITY_TYPE],
      responses: { 200: object() },
      handle: async ({ params }, context) => {
        const user = await actorUser(params, context);
        const id = `${actorId(context, user)}/${collection}`;
        const totalItems = collection === 'followers' ? await countFollowers(context, user) : 0;
        return activityResponse({ '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'OrderedCollection', totalItems });
      },
    }),
  ),
];

/** @throws HttpError 404 for whom the caller may not see, and for organizations */
async function actorUser(params: { userid?: string; username?: string }, { db, actor }: Context): Promise<User> {
  const { userid, username } = params;
  const id = /^\d{1,15}$/.test(userid ?? '') ? Number(userid) : 0;
  const user = username === undefined ? await findUserById(db, id) : await findUser(db, username);
  if (user?.type !== 'individual' || !(await isUserVisible(db, user, actor))) throw notFound();
  return user;
}

function activityResponse(document: Record<string, unknown>) {
  return raw(JSON.stringify(document), `${ACTIVITY_TYPE}; charset=utf-8`);
}

function signedPart({ method, headers, raw }: RequestParts) {
  return { method, headers, target: raw.url ?? '' };
}
