import { signedIn, siteAdmin } from '../../http/requirements.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { presentUser } from '../users/present.ts';
import { User } from '../users/schema.ts';
import { CreateUserOption } from './schema.ts';
import { createUserAsAdministrator } from './users.ts';

/** What administrators do with accounts. */
export const administrationRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/users',
    id: 'adminCreateUser',
    summary: 'Makes an account',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    body: CreateUserOption,
    answers: { 201: User },
    handle: async ({ body }, context) => presentUser(context, await createUserAsAdministrator(context, body)),
  }),
];
