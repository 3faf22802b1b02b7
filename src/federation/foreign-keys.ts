import { ExpiringMap } from '../accounts/expiring-map.ts';
import { type Context, callerKey } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { signedFetch } from './sign.ts';

/** An actor of another instance, according to its document. */
export interface ForeignActor {
  id: string;
  inbox: string;
  keyId: string;
  /** SPKI PEM. */
  publicKey: string;
}

const REMEMBERED_MS = 300_000;
/** Failed requests are not repeated at once: a stranger decides which URLs are fetched. */
const FAILURE_REMEMBERED_MS = 60_000;
/** Length limit of an id in characters. */
const MAX_ID = 2048;
/** The media types of ActivityPub documents (section 3.2); files of users have others. */
const DOCUMENT_TYPE = /^application\/(?:activity|ld)\+json\b/i;
/** How long one document may take, which a stranger names; and its bytes. */
const DOCUMENT_TIMEOUT_MS = 10_000;
const MAX_DOCUMENT = 256 * 1024;
const inProgress = new Map<string, Promise<ForeignActor | undefined>>();
const known = new ExpiringMap<ForeignActor | 'unknown'>(10_000, Date.now);

/**
 * The actor whose key has this id, if its document, at the same server, names the key as its own.
 * @throws BusyError while too many are being fetched
 */
export async function actorOfKey(context: Context, reader: User, keyId: string): Promise<ForeignActor | undefined> {
  if (keyId.length > MAX_ID) return undefined;
  const cacheKey = `${context.settings.server.rootUrl} ${keyId}`;
  const remembered = known.get(cacheKey);
  if (remembered) return remembered === 'unknown' ? undefined : remembered;
  const underWay = inProgress.get(cacheKey) ?? fetchOnce(context, reader, keyId, cacheKey).finally(() => inProgress.delete(cacheKey));
  inProgress.set(cacheKey, underWay);
  return underWay;
}

/** @throws BusyError */
async function fetchOnce(context: Context, reader: User, keyId: string, cacheKey: string): Promise<ForeignActor | undefined> {
  const release = await context.semaphores.actors.acquire(callerKey(context));
  try {
    const actor = await fetchActor(context, reader, keyId).catch((error: unknown) => {
      context.log.info({ key: keyId, err: error }, 'the key of another instance could not be read');
      return undefined;
    });
    known.set(cacheKey, actor ?? 'unknown', actor ? REMEMBERED_MS : FAILURE_REMEMBERED_MS);
    return actor;
  } finally {
    release();
  }
}

async function fetchActor(context: Context, reader: User, keyId: string): Promise<ForeignActor | undefined> {
  const document = await fetchDocument(context, reader, keyId);
  const actor = actorIn(document);
  // A document is only valid for its own URL: another one of the same server may be a file that a user has put there.
  if (actor?.id === addressOf(keyId)) return actor.keyId === keyId ? actor : undefined;
  const owner = actor?.id ?? text(document.owner);
  if (!owner || !sameServer(owner, keyId)) return undefined;
  const named = actorIn(await fetchDocument(context, reader, owner));
  return named?.keyId === keyId && named.id === owner ? named : undefined;
}

/** @throws Error when it cannot be had, or is not a JSON object that its server publishes as an actor or a key */
async function fetchDocument(context: Context, reader: User, address: string): Promise<Record<string, unknown>> {
  const { status, headers, body, url } = await signedFetch(context, reader, addressOf(address), {
    timeout: DOCUMENT_TIMEOUT_MS,
    maxResponse: Math.min(MAX_DOCUMENT, context.settings.federation.maxSize),
  });
  if (status !== 200) throw new Error(`${address} responded with ${status}`);
  if (!sameServer(url, address)) throw new Error(`${address} leads to another server`);
  if (!DOCUMENT_TYPE.test(String(headers['content-type']))) throw new Error(`${address} is not a document of ActivityPub`);
  const document: unknown = JSON.parse(body.toString('utf8'));
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw new Error(`${address} is not a document`);
  return document as Record<string, unknown>;
}

function addressOf(id: string): string {
  return id.replace(/#.*$/s, '');
}

function actorIn(document: Record<string, unknown>): ForeignActor | undefined {
  const [id, inbox] = [text(document.id), text(document.inbox)];
  const key = document.publicKey;
  if (!id || !inbox || typeof key !== 'object' || key === null || !sameServer(id, inbox)) return undefined;
  const { id: keyId, owner, publicKeyPem } = key as Record<string, unknown>;
  const isOwn = typeof keyId === 'string' && typeof publicKeyPem === 'string' && owner === id;
  return isOwn ? { id, inbox, keyId, publicKey: publicKeyPem } : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID ? value : undefined;
}

/** A server is only trusted for its own URLs. */
function sameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
