import { type KeyObject, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { findUserById } from '../../access/find-user.ts';
import { now } from '../../clock.ts';
import type { Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { unauthorized } from '../../http/errors.ts';
import { sshKeyObject } from '../keys/ssh-key-object.ts';
import { findSshKey, touchSshKey } from '../keys/ssh-keys.ts';

/** A signature, its covered parts and its key (draft-cavage-http-signatures-12, section 2.1). */
export interface HttpSignature {
  readonly keyId: string;
  readonly signature: Buffer;
  /** Names of headers, and of the pseudo headers in parentheses. */
  readonly covered: readonly string[];
  /** Seconds; 0 when not given. */
  readonly created: number;
  readonly expires: number;
}

/** The parts of a request that a signature can cover. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as the client wrote them. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** How far the clocks may differ, and how old a signature may be, in seconds. */
const CLOCK_SKEW = 10;
const MAX_AGE = 300;
const MAX_COVERED = 30;

/**
 * The user who signed a request with an SSH key (Ed25519 or RSA), as `tea` does, and the scope of that key; undefined for a request without
 * such a signature: the keys of other services, which are verified elsewhere, are not named by fingerprints.
 * @throws HttpError 401 for an invalid signature
 */
export async function signInBySignature(
  services: Services,
  request: SignedRequest,
): Promise<{ user: User; scope: string | null } | undefined> {
  const header = request.headers.signature;
  if (!services.settings.access.httpSignatures || typeof header !== 'string') return undefined;
  const signature = parseSignature(header);
  if (!signature?.keyId.startsWith('SHA256:')) return undefined;
  const refused = () => unauthorized('invalid HTTP signature');
  const { db } = services.database;
  const key = await findSshKey(db, signature.keyId);
  const object = key?.type === 'user' && /^ssh-(ed25519|rsa) /.test(key.content) ? sshKeyObject(key.content) : undefined;
  if (!key || !object || !isFresh(signature, request.headers)) throw refused();
  if (!signedTexts(signature, request).some((text) => isSignedBy(object, text, signature.signature))) throw refused();
  const user = key.user_id === null ? undefined : await findUserById(db, key.user_id);
  if (!user) throw refused();
  await touchSshKey(db, key);
  return { user, scope: key.scope };
}

/** Parses the header; undefined if it is not a signature. */
export function parseSignature(header: string): HttpSignature | undefined {
  const parameters = new Map<string, string>();
  for (const match of header.matchAll(/(?<![a-zA-Z])([a-zA-Z]+)=(?:"([^"]*)"|(\d+))/g))
    parameters.set(match[1] ?? '', match[2] ?? match[3] ?? '');
  const [keyId, base64] = [parameters.get('keyId'), parameters.get('signature')];
  if (!keyId || !base64) return undefined;
  const covered = (parameters.get('headers') ?? 'date').toLowerCase().split(' ').filter(Boolean);
  if (covered.length > MAX_COVERED) return undefined;
  const time = (name: string) => (/^\d{1,12}$/.test(parameters.get(name) ?? '') ? Number(parameters.get(name)) : 0);
  return { keyId, signature: Buffer.from(base64, 'base64'), covered, created: time('created'), expires: time('expires') };
}

/** Whether the signature is bound to this request and time: otherwise somebody who saw it could reuse it. */
export function isFresh({ covered, created, expires }: HttpSignature, { date }: IncomingHttpHeaders): boolean {
  if (!covered.includes('(request-target)')) return false;
  const time = now();
  const isRecent = (from: number) => from - time <= CLOCK_SKEW && time - from <= MAX_AGE;
  if (expires !== 0 && time - expires > CLOCK_SKEW) return false;
  if (created !== 0 && !isRecent(created)) return false;
  if (covered.includes('(created)') && created !== 0) return true;
  const seconds = Math.floor(Date.parse(date ?? '') / 1000);
  return covered.includes('date') && Number.isFinite(seconds) && isRecent(seconds);
}

/** The texts that may have been signed: some clients sign the path as it is sent, others decoded. */
export function signedTexts(signature: HttpSignature, { method, target, headers }: SignedRequest): string[] {
  const [path = '', ...query] = target.split('?');
  const decoded = [decodePath(path), ...query].join('?');
  return [...new Set([target, decoded])].map((target) => {
    const values: Record<string, string> = {
      '(request-target)': `${method.toLowerCase()} ${target}`,
      '(created)': String(signature.created),
      '(expires)': String(signature.expires),
    };
    return signature.covered.map((name) => `${name}: ${values[name] ?? headerText(headers[name])}`).join('\n');
  });
}

function headerText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim();
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isSignedBy(key: KeyObject, text: string, signature: Buffer): boolean {
  const data = Buffer.from(text);
  const digests = key.asymmetricKeyType === 'ed25519' ? [null] : ['sha512', 'sha256'];
  return digests.some((digest) => verify(digest, data, key, signature));
}
