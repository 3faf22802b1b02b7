import { constants, createHash, createVerify, publicDecrypt } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { posix } from 'node:path';
import { findUser } from '../../access/find-user.ts';
import type { Caller } from '../../access/provided.ts';
import { grantOfScope } from '../../access/scopes.ts';
import { unauthorized } from '../../http/errors.ts';
import type { SignInRequest } from '../protocol/format.ts';
import { findChefKey } from './keys.ts';

/** Maximum difference of the clocks of a client and the server in milliseconds. */
const MAX_DIFFERENCE = 10 * 60_000;
/** Maximum number of headers of a signature: one for 60 characters. */
const MAX_PARTS = 20;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Signs in with the key of a Chef client (https://docs.chef.io/server/api_chef_server/#authentication-headers, versions 1.0 to 1.3), only for
 * packages.
 * @throws HttpError 401
 */
export async function signInByChefKey({ services, request }: SignInRequest): Promise<Caller | undefined> {
  const { headers } = request;
  const name = header(headers, 'x-ops-userid');
  if (name === '') return undefined;
  const user = await findUser(services.database.db, name);
  const key = user && (await findChefKey(services, user));
  if (!key || !isTimely(header(headers, 'x-ops-timestamp'))) throw unauthorized('the signature is not valid');
  const path = posix.normalize(decodeURIComponent(new URL(request.url).pathname)).replace(/(.)\/$/, '$1');
  if (!isSigned(headers, { method: request.method, path, key })) throw unauthorized('the signature is not valid');
  return { actor: user, signIn: { method: 'signature', basic: false, token: grantOfScope('write:package') } };
}

function isTimely(timestamp: string): boolean {
  return TIMESTAMP.test(timestamp) && Math.abs(Date.parse(timestamp) - Date.now()) <= MAX_DIFFERENCE;
}

function isSigned(headers: IncomingHttpHeaders, request: { method: string; path: string; key: string }): boolean {
  const sign = header(headers, 'x-ops-sign');
  const version = /version=(1\.[0-3])(?!\d)/.exec(sign)?.[1];
  const algorithm = /algorithm=(\w+)/.exec(sign)?.[1] ?? 'sha1';
  const signature = signatureOf(headers);
  if (version === undefined || !signature || (algorithm !== 'sha1' && !(algorithm === 'sha256' && version === '1.3'))) return false;
  const text = signedText(headers, version, request);
  if (version === '1.2' || version === '1.3') {
    return createVerify(version === '1.3' ? 'sha256' : 'sha1')
      .update(text)
      .verify(request.key, signature);
  }
  try {
    // Up to 1.1 the text itself is encrypted.
    return publicDecrypt({ key: request.key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(Buffer.from(text));
  } catch {
    return false;
  }
}

/** The bytes of `X-Ops-Authorization-1` and those after it. */
function signatureOf(headers: IncomingHttpHeaders): Buffer | undefined {
  let text = '';
  for (let part = 1; part <= MAX_PARTS; part++) {
    const value = header(headers, `x-ops-authorization-${part}`);
    if (value === '') break;
    text += value;
  }
  return text === '' ? undefined : Buffer.from(text, 'base64');
}

function signedText(headers: IncomingHttpHeaders, version: string, { method, path }: { method: string; path: string }): string {
  const hashed = (text: string) => createHash('sha1').update(text).digest('base64');
  const name = header(headers, 'x-ops-userid');
  const user = version === '1.1' || version === '1.2' ? hashed(name) : name;
  const content = `X-Ops-Content-Hash:${header(headers, 'x-ops-content-hash')}`;
  const time = `X-Ops-Timestamp:${header(headers, 'x-ops-timestamp')}`;
  const lines =
    version === '1.3'
      ? [`Path:${path}`, content, `X-Ops-Sign:version=${version}`, time, `X-Ops-UserId:${user}`, apiVersion(headers)]
      : [`Hashed Path:${hashed(path)}`, content, time, `X-Ops-UserId:${user}`];
  return [`Method:${method}`, ...lines].join('\n');
}

function apiVersion(headers: IncomingHttpHeaders): string {
  return `X-Ops-Server-API-Version:${header(headers, 'x-ops-server-api-version')}`;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
