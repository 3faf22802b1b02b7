import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { string } from '../../http/schema.ts';
import { serverKey } from '../../instance/signing/server-key.ts';

/** @throws HttpError 404 where the server has no key of this form */
async function publicKey({ settings }: Context, format: 'openpgp' | 'ssh') {
  const key = await serverKey(settings);
  if (key?.format !== format) throw notFound(null, 'no signing key');
  return raw(key.publicText, format === 'openpgp' ? 'application/pgp-keys' : 'text/plain; charset=utf-8');
}

/** The server's public key for its commits; the same for every repository. */
export const signingKeyRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/signing-key.gpg',
    id: 'getSigningKey',
    summary: 'Gets the OpenPGP key that the server signs with',
    tag: 'miscellaneous',
    produces: ['text/plain'],
    responses: { 200: string() },
    handle: async (_, context) => publicKey(context, 'openpgp'),
  }),
  route({
    method: 'GET',
    path: '/signing-key.pub',
    id: 'getSigningKeySSH',
    summary: 'Gets the SSH key that the server signs with',
    tag: 'miscellaneous',
    produces: ['text/plain'],
    responses: { 200: string() },
    handle: async (_, context) => publicKey(context, 'ssh'),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/signing-key.gpg',
    id: 'repoSigningKey',
    summary: 'Gets the OpenPGP key that the server signs with',
    scope: 'repository',
    produces: ['text/plain'],
    responses: { 200: string() },
    handle: async (_, context) => publicKey(context, 'openpgp'),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/signing-key.pub',
    id: 'repoSigningKeySSH',
    summary: 'Gets the SSH key that the server signs with',
    scope: 'repository',
    produces: ['text/plain'],
    responses: { 200: string() },
    handle: async (_, context) => publicKey(context, 'ssh'),
  }),
];
