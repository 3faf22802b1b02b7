import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { LfsPointer } from '../../git/trees/lfs-pointer.ts';
import { fetchOutgoing, type OutgoingResponse, openOutgoing } from '../../http/outgoing/outgoing.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { LFS_MEDIA_TYPE } from '../media-type.ts';
import { isObject, isPointer } from '../pointer.ts';

/** Where another server has its large files. */
export interface LfsRemote {
  /** `https://host/owner/name.git/info/lfs`; see {@link endpointOf}. A name and password in it count as `credentials`. */
  readonly endpoint: string;
  readonly credentials?: { readonly name: string; readonly password: string } | undefined;
  /** Whether the certificate has to be valid; it has unless this is false. */
  readonly verifyCertificates?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The response of the remote for one object. */
export interface RemoteObject {
  readonly oid: string;
  /** Where it is fetched or sent to, by `download`, `upload` and `verify`. */
  readonly actions: Readonly<Record<string, RemoteAction>>;
  /** Why there are none; empty otherwise. */
  readonly error: string;
}

interface RemoteAction {
  readonly href: string;
  readonly header: Readonly<Record<string, string>>;
}

/** The other server has refused a request or sent an invalid response. The message contains no secrets. */
export class LfsRemoteError extends Error {
  override readonly name = 'LfsRemoteError';
}

/** Size limit of a response to a batch request in bytes. */
const MAX_RESPONSE = 4 * 1024 * 1024;
const MAX_HEADERS = 50;
/** Headers of the connection or of the request body, which the remote may not set. */
const OWN_HEADERS = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'upgrade', 'accept-encoding'];

/** The URL of the large files of a repository that is cloned from `cloneUrl` over HTTP. */
export function endpointOf(cloneUrl: string): string {
  const url = new URL(cloneUrl);
  const path = trimEnd(url.pathname, '/');
  url.pathname = `${path.endsWith('.git') ? path : `${path}.git`}/info/lfs`;
  return url.href;
}

/**
 * Requests the actions for objects.
 * @returns the response for each object, by its id
 * @throws LfsRemoteError; HostNotAllowedError
 */
export async function requestBatch(
  { settings }: Pick<Context, 'settings'>,
  remote: LfsRemote,
  operation: 'download' | 'upload',
  pointers: readonly LfsPointer[],
): Promise<Map<string, RemoteObject>> {
  const body = JSON.stringify({
    operation,
    transfers: ['basic'],
    hash_algo: 'sha256',
    objects: pointers.map(({ oid, size }) => ({ oid, size })),
  });
  const { url, credentials } = addressOf(remote, 'objects/batch');
  const response = await fetchOutgoing(settings, url, {
    method: 'POST',
    headers: { accept: LFS_MEDIA_TYPE, 'content-type': LFS_MEDIA_TYPE, ...credentials },
    body,
    maxResponse: MAX_RESPONSE,
    ...optionsOf(remote),
  });
  if (response.status !== 200) throw refused(url, response.status);
  return readBatch(url, response.body);
}

/**
 * Sends a request of an action. Its headers are those that the remote has sent. The credentials are added if these have no
 * `Authorization` and the URL is on the same server.
 * @throws LfsRemoteError for another status than 200 or 201; HostNotAllowedError
 */
export async function sendAction(
  { settings }: Pick<Context, 'settings'>,
  remote: LfsRemote,
  { href, header }: RemoteAction,
  { method, headers = {}, body }: { method: string; headers?: Record<string, string>; body?: string | Readable },
): Promise<OutgoingResponse<Readable>> {
  const own = addressOf(remote, '');
  const isSigned = Object.keys(header).some((name) => name.toLowerCase() === 'authorization');
  const isSame = new URL(href).origin === new URL(own.url).origin;
  const response = await openOutgoing(settings, href, {
    method,
    headers: { ...headers, ...header, ...(isSame && !isSigned && own.credentials) },
    ...(body !== undefined && { body }),
    timeout: settings.git.transferTimeout,
    ...optionsOf(remote),
  });
  if (response.status !== 200 && response.status !== 201) {
    response.body.on('error', () => {}).destroy();
    throw refused(href, response.status);
  }
  return response;
}

function addressOf({ endpoint, credentials }: LfsRemote, path: string): { url: string; credentials: Record<string, string> } {
  const url = new URL(endpoint);
  const name = credentials?.name ?? decodeURIComponent(url.username);
  const password = credentials?.password ?? decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  url.pathname = `${trimEnd(url.pathname, '/')}/${path}`;
  const isKnown = name !== '' || password !== '';
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  return { url: url.href, credentials: isKnown ? { authorization } : {} };
}

function optionsOf({ verifyCertificates, signal }: LfsRemote) {
  return { ...(verifyCertificates !== undefined && { verifyCertificates }), ...(signal && { signal }) };
}

function refused(url: string, status: number): LfsRemoteError {
  return new LfsRemoteError(`${new URL(url).host} responded with ${status} to a request for large files`);
}

function readBatch(url: string, body: Buffer): Map<string, RemoteObject> {
  const unreadable = new LfsRemoteError(`${new URL(url).host} sent no list of large files`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw unreadable;
  }
  if (!isObject(parsed) || !Array.isArray(parsed.objects)) throw unreadable;
  if (parsed.transfer !== undefined && parsed.transfer !== '' && parsed.transfer !== 'basic') {
    throw new LfsRemoteError(`${new URL(url).host} does not know the basic transfer`);
  }
  return new Map(parsed.objects.filter(isPointer).map((object) => [object.oid, readObject(object)]));
}

function readObject(object: LfsPointer & Record<string, unknown>): RemoteObject {
  const { actions, error } = object;
  const found = isObject(actions) ? Object.entries(actions).map(([name, action]) => [name, readAction(action)] as const) : [];
  const message = isObject(error) ? String(error.message ?? '').slice(0, 200) || 'the server has an error' : '';
  return {
    oid: object.oid,
    actions: Object.fromEntries(found.flatMap(([name, action]) => (action ? [[name, action]] : []))),
    error: message,
  };
}

function readAction(action: unknown): RemoteAction | undefined {
  if (!isObject(action) || typeof action.href !== 'string' || !URL.canParse(action.href)) return undefined;
  const given = isObject(action.header) ? Object.entries(action.header).slice(0, MAX_HEADERS) : [];
  const isSent = ([name, value]: [string, unknown]) =>
    typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !OWN_HEADERS.includes(name.toLowerCase());
  return { href: action.href, header: Object.fromEntries(given.filter(isSent)) as Record<string, string> };
}
