import type { Caller } from '../../access/provided.ts';
import { readBearer } from '../../accounts/sign-in/sign-in.ts';
import { empty, text } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { makeToken, useToken } from '../protocol/exchanged-tokens.ts';
import type { PackageCall, SignInRequest } from '../protocol/format.ts';

const PURPOSE = 'conan token';
/** Clients expect a token of three parts (RFC 7519); its content is only for this server. */
const HEAD = Buffer.from('{"alg":"dir","typ":"JWT"}').toString('base64url');

/** Signs in with a token from {@link authenticate}. */
export async function signInByConanToken({ services, request }: SignInRequest): Promise<Caller | undefined> {
  const [head, sealed, end, ...more] = (readBearer(request.headers.authorization) ?? '').split('.');
  if (head !== HEAD || !sealed || end !== '' || more.length > 0) return undefined;
  const caller = await useToken(services, Buffer.from(sealed, 'base64url').toString('utf8'), PURPOSE);
  if (!caller) throw new PackageError('unauthorized');
  return caller;
}

/** `GET /users/authenticate`: exchanges name and password for a token. */
export async function authenticate({ context, request }: PackageCall) {
  if (!context.actor) throw new PackageError('invalid', { message: '' });
  const sealed = Buffer.from(makeToken(context, request, PURPOSE)).toString('base64url');
  return text(`${HEAD}.${sealed}.`);
}

/** `GET /users/check_credentials` */
export async function checkCredentials({ context }: PackageCall) {
  return empty(context.actor ? 200 : 401);
}

/** `GET /ping`: the capabilities of the server. */
export async function ping() {
  return empty(200, { 'x-conan-server-capabilities': 'revisions' });
}
