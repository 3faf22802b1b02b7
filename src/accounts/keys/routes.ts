import { signedIn, siteAdmin } from '../../access/requirements.ts';
import { userRoute, visibleUserRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { SshKey } from '../../database/tables/keys.ts';
import { only } from '../../http/only.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { type AnyRoute, pageQuery, query, type RequestParts, route } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { presentSshKeys } from './present.ts';
import { CreateKeyOption, PublicKey, VerifyKeyOption } from './schema.ts';
import { addSshKey, deleteSshKey, getSshKey, listSshKeys } from './ssh-keys.ts';
import { verifySshKey } from './ssh-verification.ts';

const username = { description: 'name of the user' };
const id = { type: 'integer', format: 'int64', description: 'id of the key' } as const;
const listQuery = { fingerprint: query.string('fingerprint of the key'), ...pageQuery };

interface ListInput {
  query: { fingerprint?: string; page?: number; limit?: number };
  request: RequestParts;
}

async function listResponse(filter: { userId?: number }, { query, request }: ListInput, context: Context) {
  const page = pageOf(context, query);
  const { fingerprint } = query;
  const { keys, total } = await listSshKeys(context, { ...filter, ...(fingerprint && { fingerprint }) }, page);
  return listed(await presentSshKeys(context, keys), total, { url: request.url, ...page });
}

async function present(context: Context, key: SshKey) {
  return only(await presentSshKeys(context, [key]));
}

/** SSH keys: the caller's own, those of others, and all for administrators. */
export const keyRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/keys',
    id: 'userCurrentListKeys',
    summary: 'Lists the SSH keys of the caller, or finds one by its fingerprint',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    query: listQuery,
    responses: { 200: array(PublicKey) },
    handle: (input, context) => listResponse(input.query.fingerprint ? {} : { userId: signedInActor(context).id }, input, context),
  }),
  route({
    method: 'POST',
    path: '/user/keys',
    id: 'userCurrentPostKey',
    summary: 'Adds an SSH key of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: CreateKeyOption,
    responses: { 201: PublicKey },
    handle: async ({ body: { title, key: text } }, context) => {
      const scope = context.signIn.token?.scope ?? null;
      return present(context, await addSshKey(context, signedInActor(context), { title, text, scope }));
    },
  }),
  route({
    method: 'GET',
    path: '/user/keys/:id',
    id: 'userCurrentGetKey',
    summary: 'Gets an SSH key',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { id },
    responses: { 200: PublicKey },
    handle: async ({ params }, context) => present(context, await getSshKey(context, pathId(params.id))),
  }),
  route({
    method: 'DELETE',
    path: '/user/keys/:id',
    id: 'userCurrentDeleteKey',
    summary: 'Removes an SSH key',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { id },
    responses: { 204: null },
    handle: ({ params }, context) => deleteSshKey(context, signedInActor(context), pathId(params.id)),
  }),
  route({
    method: 'POST',
    path: '/user/keys/:id/verify',
    id: 'userVerifyKey',
    summary: 'Verifies with a signature of the text of /user/gpg_key_token that an SSH key belongs to the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { id },
    body: VerifyKeyOption,
    responses: { 200: PublicKey },
    handle: async ({ params, body }, context) =>
      present(context, await verifySshKey(context, signedInActor(context), pathId(params.id), body.armored_signature)),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/keys',
    id: 'userListKeys',
    summary: 'Lists the SSH keys of a user',
    scope: 'user',
    needs: [signedIn],
    parameters: { username },
    query: listQuery,
    responses: { 200: array(PublicKey) },
    handle: (input, context) => listResponse({ userId: input.user.id }, input, context),
  }),
  userRoute({
    method: 'POST',
    path: '/admin/users/:username/keys',
    id: 'adminCreatePublicKey',
    summary: 'Adds an SSH key of a user',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username },
    body: CreateKeyOption,
    bodyParameter: { name: 'key' },
    responses: { 201: PublicKey },
    handle: async ({ user, body: { title, key: text } }, context) =>
      present(context, await addSshKey(context, user, { title, text, scope: null })),
  }),
  userRoute({
    method: 'DELETE',
    path: '/admin/users/:username/keys/:id',
    id: 'adminDeleteUserPublicKey',
    summary: 'Removes an SSH key of a user',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { username, id },
    responses: { 204: null },
    handle: ({ user, params }, context) => deleteSshKey(context, user, pathId(params.id)),
  }),
];
