import { explore, signedIn } from '../../access/requirements.ts';
import { visibleUserRoute } from '../../access/routes.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import { notFound } from '../../http/errors.ts';
import { pageHeaders, pageOf } from '../../http/paging.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array, boolean, inline, ref } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { ACTIONS_ID, actionsUser, GHOST_ID, ghost } from './ghost.ts';
import { presentUser, presentUsers } from './present.ts';
import { User, UserSettings, UserSettingsOptions } from './schema.ts';
import { searchUsers } from './search.ts';
import { presentSettings, updateSettings } from './settings.ts';

const STAND_INS = new Map([
  [GHOST_ID, ghost],
  [ACTIONS_ID, actionsUser],
]);

/** Users as others see them, and the caller. */
export const userRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user',
    id: 'userGetCurrent',
    summary: 'Gets the user who is signed in',
    scope: 'user',
    needs: [signedIn],
    responses: { 200: User },
    handle: async (_, context) => presentUser(context, signedInActor(context)),
  }),
  route({
    method: 'GET',
    path: '/user/settings',
    id: 'getUserSettings',
    summary: 'Gets the settings of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    responses: { 200: UserSettings },
    handle: async (_, context) => presentSettings(context, signedInActor(context)),
  }),
  route({
    method: 'PATCH',
    path: '/user/settings',
    id: 'updateUserSettings',
    summary: 'Changes settings of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: UserSettingsOptions,
    responses: { 200: UserSettings },
    handle: async ({ body }, context) => presentSettings(context, await updateSettings(context, signedInActor(context), body)),
  }),
  route({
    method: 'GET',
    path: '/users/search',
    semaphore: 'searches',
    id: 'userSearch',
    summary: 'Searches for users',
    scope: 'user',
    needs: [explore],
    query: {
      q: query.string('part of the name, the full name or the address'),
      uid: query.int64('id of the user'),
      ...pageQuery,
    },
    responses: { 200: inline({ data: array(ref(User)), ok: boolean() }) },
    handle: async ({ query: { q = '', uid = 0, ...query }, request }, context) => {
      const page = pageOf(context, query);
      const standIn = STAND_INS.get(uid);
      const { users, total } = standIn
        ? { users: [standIn], total: 1 }
        : await searchUsers(context, { keyword: q.trim(), ...(uid > 0 && { id: uid }) }, page);
      return new HttpResponse(
        { data: presentUsers(context, users), ok: true },
        { headers: pageHeaders(total, { link: { url: request.url, ...page } }) },
      );
    },
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username',
    id: 'userGet',
    summary: 'Gets a user',
    scope: 'user',
    needs: [explore],
    parameters: { username: { description: 'name of the user' } },
    responses: { 200: User },
    handle: async ({ user, params }, context) => {
      if (await isUserVisible(context.db, user, context.actor)) return presentUser(context, user);
      throw notFound([`user does not exist [uid: 0, name: ${params.username}]`], 'GetUserByName');
    },
  }),
];
