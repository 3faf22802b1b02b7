import { createHash, sign } from 'node:crypto';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { fetchOutgoing, type OutgoingOptions, type OutgoingResponse } from '../http/outgoing/outgoing.ts';
import { ACTIVITY_TYPE, keyId } from './actor.ts';
import { actorKeys } from './keys.ts';

/**
 * Sends a request in the name of a user, signed with its key (draft-cavage-http-signatures-12).
 * @param options.body a document to post; without it, the URL is fetched
 */
export async function signedFetch(
  context: Context,
  user: User,
  address: string,
  { body, ...bounds }: { body?: string } & Pick<OutgoingOptions, 'signal' | 'timeout' | 'maxResponse'> = {},
): Promise<OutgoingResponse<Buffer>> {
  const { federation } = context.settings;
  const url = new URL(address);
  const method = body === undefined ? 'GET' : 'POST';
  const values: Record<string, string> = {
    '(request-target)': `${method.toLowerCase()} ${url.pathname}${url.search}`,
    host: url.host,
    date: new Date().toUTCString(),
    ...(body === undefined
      ? { accept: ACTIVITY_TYPE }
      : { 'content-type': ACTIVITY_TYPE, digest: digestOf(federation.digestAlgorithm, body) }),
  };
  // The host is signed in any case, so that the request is good for no other server.
  const listed = (body === undefined ? federation.getHeaders : federation.postHeaders).map((name) => name.toLowerCase());
  const covered = [...new Set([...listed, 'host'])].filter((name) => name in values);
  const text = covered.map((name) => `${name}: ${values[name]}`).join('\n');
  const { privateKey } = await actorKeys(context, user);
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
  const { '(request-target)': _, host: __, ...headers } = values;
  return fetchOutgoing(context.settings, address, {
    method,
    ...(body !== undefined && { body }),
    headers: {
      ...headers,
      signature: `keyId="${keyId(context, user)}",algorithm="rsa-sha256",headers="${covered.join(' ')}",signature="${signature}"`,
    },
    maxResponse: federation.maxSize,
    ...bounds,
    // The signature covers the URL: it is invalid at another one.
    ...(body !== undefined && { maxRedirects: 0 }),
  });
}

/** The `Digest` header of a body (RFC 3230). */
export function digestOf(algorithm: 'SHA-256' | 'SHA-512', body: string | Uint8Array): string {
  return `${algorithm}=${createHash(algorithm === 'SHA-256' ? 'sha256' : 'sha512')
    .update(body)
    .digest('base64')}`;
}
