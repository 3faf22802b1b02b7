import { signedIn } from '../../access/requirements.ts';
import { visibleUserRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { GpgKey } from '../../database/tables/keys.ts';
import { only } from '../../http/only.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import { text } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, string } from '../../http/schema.ts';
import { signedInActor } from '../sign-in/actor.ts';
import { addGpgKeys, deleteGpgKey, getGpgKey, listGpgKeys, verifyGpgKey } from './gpg-keys.ts';
import { presentGpgKeys } from './present-gpg.ts';
import { CreateGPGKeyOption, GPGKey, VerifyGPGKeyOption } from './schema.ts';
import { verificationToken } from './verification-token.ts';

const id = { type: 'integer', format: 'int64', description: 'id of the key' } as const;

async function listResponse(user: User, query: { page?: number; limit?: number }, context: Context) {
  const { keys, total } = await listGpgKeys(context, user, pageOf(context, query));
  return listed(await presentGpgKeys(context, keys), total);
}

async function present(context: Context, key: GpgKey, options?: { subkeys: boolean }) {
  return only(await presentGpgKeys(context, [key], options));
}

/** OpenPGP keys: the caller's own and those of others. */
export const gpgKeyRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/user/gpg_keys',
    id: 'userCurrentListGPGKeys',
    summary: 'Lists the OpenPGP keys of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(GPGKey) },
    handle: ({ query }, context) => listResponse(signedInActor(context), query, context),
  }),
  route({
    method: 'POST',
    path: '/user/gpg_keys',
    id: 'userCurrentPostGPGKey',
    summary: 'Adds an OpenPGP key of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: CreateGPGKeyOption,
    bodyParameter: { name: 'Form' },
    responses: { 201: GPGKey },
    handle: async ({ body }, context) =>
      present(context, await addGpgKeys(context, signedInActor(context), body.armored_public_key, body.armored_signature ?? '')),
  }),
  route({
    method: 'GET',
    path: '/user/gpg_keys/:id',
    id: 'userCurrentGetGPGKey',
    summary: 'Gets an OpenPGP key of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { id },
    responses: { 200: GPGKey },
    handle: async ({ params }, context) => present(context, await getGpgKey(context, signedInActor(context), pathId(params.id))),
  }),
  route({
    method: 'DELETE',
    path: '/user/gpg_keys/:id',
    id: 'userCurrentDeleteGPGKey',
    summary: 'Removes an OpenPGP key of the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    parameters: { id },
    responses: { 204: null },
    handle: ({ params }, context) => deleteGpgKey(context, signedInActor(context), pathId(params.id)),
  }),
  route({
    method: 'GET',
    path: '/user/gpg_key_token',
    id: 'getVerificationToken',
    summary: 'Gets the text to sign with a key, to prove that it is the caller’s',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    produces: ['text/plain'],
    responses: { 200: string() },
    handle: async (_, context) => text(verificationToken(context, signedInActor(context))),
  }),
  route({
    method: 'POST',
    path: '/user/gpg_key_verify',
    id: 'userVerifyGPGKey',
    summary: 'Verifies with a signature that a key belongs to the caller',
    scope: 'user',
    refusesPublicOnly: true,
    needs: [signedIn],
    body: VerifyGPGKeyOption,
    responses: { 200: GPGKey },
    handle: async ({ body }, context) =>
      present(context, await verifyGpgKey(context, signedInActor(context), body.key_id, body.armored_signature), { subkeys: false }),
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/gpg_keys',
    id: 'userListGPGKeys',
    summary: 'Lists the OpenPGP keys of a user',
    scope: 'user',
    needs: [signedIn],
    parameters: { username: { description: 'name of the user' } },
    query: pageQuery,
    responses: { 200: array(GPGKey) },
    handle: ({ user, query }, context) => listResponse(user, query, context),
  }),
];
