import { revokeToken } from '../../accounts/tokens/tokens.ts';
import { empty } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { BASIC_CHALLENGE, packageCaller } from '../protocol/caller.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { readJson } from '../protocol/receive.ts';
import { textOf } from '../protocol/values.ts';

/** Size limit of what `npm login` sends in bytes. */
const MAX_LOGIN_BYTES = 16 * 1024;

/** `npm whoami` */
export async function whoAmI({ context: { actor } }: PackageCall) {
  if (!actor) throw new PackageError('unauthorized', { headers: BASIC_CHALLENGE });
  return json({ username: actor.name });
}

/**
 * `npm login`, in its form with name and password: returns the access token that was entered as the password, which npm stores. No token is
 * made, since it would stay valid when the password changes.
 * @throws PackageError 401
 */
export async function logIn(call: PackageCall) {
  const { context, request } = call;
  const body = await readJson(call, MAX_LOGIN_BYTES);
  const [name, password] = [textOf(body.name), textOf(body.password)];
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const { actor, signIn } = await packageCaller(context, { ...request, headers: { ...request.headers, authorization } }, {});
  const isOwn = actor !== null && actor.lower_name === name.toLowerCase();
  if (!isOwn || signIn.method !== 'token') {
    throw new PackageError('unauthorized', { message: 'sign in with your name, and an access token in place of the password' });
  }
  return json({ ok: true, id: `org.couchdb.user:${actor.name}`, rev: '1', token: password }, { status: 201 });
}

/**
 * `npm logout`: deletes the access token of the caller that npm has stored, wherever else it is used, as npm announces it.
 * @throws PackageError 401, 404 for a token that is not the caller's
 */
export async function logOut({ context, params: { token = '' } }: PackageCall) {
  const { actor } = context;
  if (!actor) throw new PackageError('unauthorized', { headers: BASIC_CHALLENGE });
  if (!(await revokeToken(context, actor, token))) throw new PackageError('missing', { message: 'the token is not one of yours' });
  return empty(200);
}
