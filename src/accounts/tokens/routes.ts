import { basicSignIn, selfOrAdmin, signedIn } from '../../access/requirements.ts';
import { visibleUserRoute } from '../../access/routes.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { presentNewToken, presentToken } from './present.ts';
import { AccessToken, CreateAccessTokenOption } from './schema.ts';
import { createToken, deleteToken, listTokens } from './tokens.ts';

/** Access tokens, managed with basic authentication. */
export const tokenRoutes: readonly AnyRoute[] = [
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/tokens',
    id: 'userGetTokens',
    summary: 'Lists the access tokens of a user',
    scope: 'user',
    needs: [selfOrAdmin, basicSignIn],
    parameters: { username: { description: 'name of the user' } },
    query: pageQuery,
    responses: { 200: array(AccessToken) },
    handle: async ({ user, query }, context) => {
      const { tokens, total } = await listTokens(context, user, pageOf(context, query));
      return listed(tokens.map(presentToken), total);
    },
  }),
  visibleUserRoute({
    method: 'POST',
    path: '/users/:username/tokens',
    id: 'userCreateToken',
    summary: 'Creates an access token',
    scope: 'user',
    needs: [signedIn, selfOrAdmin, basicSignIn],
    parameters: { username: { description: 'name of the user' } },
    body: CreateAccessTokenOption,
    responses: { 201: AccessToken },
    also: [400],
    handle: async ({ user, body }, context) => {
      const { token, value } = await createToken(context, user, { name: body.name, scopes: body.scopes ?? [] });
      return presentNewToken(token, value);
    },
  }),
  visibleUserRoute({
    method: 'DELETE',
    path: '/users/:username/tokens/:token',
    id: 'userDeleteAccessToken',
    summary: 'Removes an access token',
    scope: 'user',
    needs: [signedIn, selfOrAdmin, basicSignIn],
    parameters: { username: { description: 'name of the user' }, token: { description: 'id of the token, or its name' } },
    responses: { 204: null },
    handle: async ({ user, params }, context) => {
      await deleteToken(context, user, params.token);
      return empty(204);
    },
  }),
];
