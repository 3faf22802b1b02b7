import { explore, signedIn } from '../../http/requirements.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { signedInDoer } from '../sign-in/doer.ts';
import { presentUser } from './present.ts';
import { User } from './schema.ts';

/** Users as others see them, and the caller itself. */
export const userRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user',
    id: 'userGetCurrent',
    summary: 'Gets the user who is signed in',
    scope: 'user',
    needs: [signedIn],
    answers: { 200: User },
    handle: async (_, context) => presentUser(context, signedInDoer(context)),
  }),
  route({
    method: 'GET',
    path: '/users/:username',
    id: 'userGet',
    summary: 'Gets a user',
    scope: 'user',
    needs: [explore],
    parameters: { username: { description: 'name of the user' } },
    answers: { 200: User },
    handle: async ({ user }, context) => presentUser(context, user),
  }),
];
