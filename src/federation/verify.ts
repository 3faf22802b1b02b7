import { createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { type HttpSignature, isFresh, parseSignature, type SignedRequest, signedTexts } from '../accounts/sign-in/http-signature.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { type HttpError, unauthorized } from '../http/errors.ts';
import { actorOfKey, type ForeignActor } from './foreign-keys.ts';
import { digestOf } from './sign.ts';

/** The parts that a signature must cover, so that it is only valid for this request, this server and this body. */
const NEEDED = ['(request-target)', 'host', 'digest'];

/**
 * Who of another instance signed this request.
 * @throws HttpError 401 for a request without a signature that is good
 */
export async function verifySigner(context: Context, reader: User, request: SignedRequest, body: Buffer): Promise<ForeignActor> {
  const header = request.headers.signature;
  const signature = typeof header === 'string' ? parseSignature(header) : undefined;
  if (!signature) throw refusal('a signature is needed');
  if (!NEEDED.every((name) => signature.covered.includes(name))) throw refusal(`the signature has to cover ${NEEDED.join(', ')}`);
  const isComplete = signature.covered.every((name) => name.startsWith('(') || request.headers[name] !== undefined);
  if (!isComplete || !isFresh(signature, request.headers)) throw refusal('the signature is too old, or covers what is not there');
  if (request.headers.host !== new URL(context.settings.server.rootUrl).host) throw refusal('the request is meant for another server');
  if (!hasDigest(request.headers.digest, body)) throw refusal('the digest is not that of the body');
  // The cheap checks come first: only now a request is sent to another server.
  const actor = await actorOfKey(context, reader, signature.keyId);
  if (!actor || !isSignedBy(context, actor.publicKey, signature, request)) throw refusal('the signature is not that of its key');
  return actor;
}

function refusal(reason: string): HttpError {
  return unauthorized(`request signature verification failed: ${reason}`);
}

function hasDigest(header: string | string[] | undefined, body: Buffer): boolean {
  const given = typeof header === 'string' ? header.split(',').map((part) => part.trim()) : [];
  const known = given.flatMap((part) => {
    const algorithm = /^(SHA-256|SHA-512)=/i.exec(part)?.[1]?.toUpperCase();
    return algorithm === 'SHA-256' || algorithm === 'SHA-512'
      ? [{ value: part.slice(8), expected: digestOf(algorithm, body).slice(8) }]
      : [];
  });
  return known.length > 0 && known.every(({ value, expected }) => isEqual(value, expected));
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function isSignedBy({ settings }: Context, pem: string, signature: HttpSignature, request: SignedRequest): boolean {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    return false;
  }
  const { algorithms } = settings.federation;
  const usable = algorithms.filter((name) => name.startsWith(key.asymmetricKeyType === 'rsa' ? 'rsa-' : `${key.asymmetricKeyType}`));
  const texts = signedTexts(signature, request);
  return usable.some((name) =>
    texts.some((text) => verify(name === 'ed25519' ? null : name.slice('rsa-'.length), Buffer.from(text), key, signature.signature)),
  );
}
