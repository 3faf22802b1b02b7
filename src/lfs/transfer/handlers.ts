import { readBearer } from '../../accounts/sign-in/sign-in.ts';
import { callerKey } from '../../context.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { HttpError } from '../../http/errors.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { discardBody } from '../../http/server/discard-body.ts';
import { releaseWith } from '../../http/server/permits.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { LfsError, lfsResponse } from '../errors.ts';
import { lfsKey } from '../objects/stored.ts';
import { isObject, isOid, isPointer } from '../pointer.ts';
import { bodyOf, readJson } from '../request.ts';
import type { LfsTarget } from '../target.ts';
import { isLfsToken, type LfsOperation, makeLfsToken } from '../tokens.ts';
import { type PlannedObject, planBatch } from './batch.ts';
import { findObject, takeObject } from './objects.ts';

/** A batch request: https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md */
export interface BatchRequest {
  readonly operation: LfsOperation;
  readonly objects: readonly unknown[];
  readonly hashAlgorithm: unknown;
}

/** The URL of an action, and the headers to send. */
interface Action {
  href: string;
  header?: Record<string, string>;
  expires_in?: number;
}

/** @throws LfsError 400, 413 */
export async function readBatch(request: RequestParts): Promise<BatchRequest> {
  const { operation, objects, hash_algo: hashAlgorithm } = await readJson(request);
  if (operation !== 'upload' && operation !== 'download') throw new LfsError(400);
  if (!Array.isArray(objects)) throw new LfsError(400);
  return { operation, objects: objects.map(withSize), hashAlgorithm };
}

/** Clients whose JSON omits zeros send no size for empty files. */
function withSize(object: unknown): unknown {
  return isObject(object) ? { ...object, size: object.size ?? 0 } : object;
}

/** Responds with the actions for each object. */
export async function respondToBatch(target: LfsTarget, request: RequestParts, batch: BatchRequest): Promise<HttpResponse> {
  const { operation, objects, hashAlgorithm } = batch;
  if (objects.length > target.context.settings.lfs.maxBatchSize) throw new LfsError(413);
  const planned = await planBatch(target, operation, objects);
  const actions = actionsFor(target, request, operation);
  const isOther = hashAlgorithm !== undefined && hashAlgorithm !== 'sha256';
  return lfsResponse({
    transfer: 'basic',
    objects: planned.map((object) => present(isOther ? otherHash(object) : object, actions)),
    hash_algo: 'sha256',
  });
}

/** Receives the bytes of an object. */
export async function respondToUpload(target: LfsTarget, request: RequestParts, oid: string, size: number): Promise<HttpResponse> {
  const length = request.headers['content-length'];
  const closing = { connection: 'close' };
  // Checked before the body is received.
  if (length !== undefined && Number(length) !== size) throw new LfsError(422, 'content size does not match', closing);
  try {
    await takeObject(target, { oid, size }, bodyOf(request), request.signal);
  } catch (error) {
    if (error instanceof LfsError && !(await discardBody(request.raw)))
      throw new LfsError(error.status, error.message, { ...error.headers, ...closing });
    throw error;
  }
  return lfsResponse({ Message: 'OK' });
}

/** Serves the bytes of an object, or a range of them; `name` is that of the file in URL-safe base64. */
export async function respondToDownload(target: LfsTarget, request: RequestParts, oid: string, name?: string): Promise<HttpResponse> {
  const { context } = target;
  const object = await findObject(target, oid);
  const release = await context.semaphores.downloads.acquire(callerKey(context), { signal: request.signal });
  try {
    const response = await serveBytes(request, {
      size: object.size,
      type: 'application/octet-stream',
      etag: oid,
      headers: {
        'x-content-type-options': 'nosniff',
        ...(name !== undefined && {
          'content-disposition': contentDisposition('attachment', Buffer.from(name, 'base64url').toString('utf8')),
        }),
      },
      open: async (range) => (await context.storage.get(lfsKey(object), range))?.stream ?? Buffer.alloc(0),
      link: (response) => context.storage.link(lfsKey(object), response),
    });
    releaseWith(response, request, release);
    return response;
  } catch (error) {
    release();
    if (error instanceof HttpError && error.status === 416) throw new LfsError(416, undefined, { ...error.headers });
    throw error;
  }
}

/** @throws LfsError 422 */
export async function readPointer(request: RequestParts): Promise<{ oid: string; size: number }> {
  const given = await readJson(request, 422);
  const { oid, size = 0 } = given;
  if (!isPointer({ oid, size })) throw new LfsError(422, 'Oid or size are invalid');
  return { oid: String(oid), size: Number(size) };
}

/** Confirms that an object has arrived. */
export async function respondToVerify(target: LfsTarget, { oid, size }: { oid: string; size: number }): Promise<HttpResponse> {
  const object = await findObject(target, oid);
  if (object.size !== size) throw new LfsError(422, `Object ${oid} is not ${size} bytes`);
  return lfsResponse({ Message: 'OK' });
}

/**
 * The object in the path of a download, which has no size, or of an upload. Clients know the reason of the former alone.
 * @throws LfsError 422 for an invalid id or size
 */
export function pathPointer(oid: string, size?: string): { oid: string; size: number } {
  if (!isOid(oid) || (size !== undefined && !/^\d{1,15}$/.test(size))) {
    throw size === undefined ? new LfsError(422, 'Oid or size are invalid') : new LfsError(422);
  }
  return { oid, size: Number(size ?? 0) };
}

type Actions = (object: PlannedObject) => Record<string, Action>;

/** The URLs of objects, with the token that the client has sent, or a new one instead of its password. */
function actionsFor({ context, repository }: LfsTarget, { headers }: RequestParts, operation: LfsOperation): Actions {
  const base = `${repositoryHtmlUrl(context.settings, repository)}.git/info/lfs`;
  const { actor, signIn } = context;
  const byPassword = actor && signIn.method === 'password';
  const made = byPassword ? makeLfsToken(context, repository.id, operation, { kind: 'password', user: actor }) : undefined;
  const authorization = made ? `Bearer ${made.token}` : ownToken(headers.authorization);
  const common = {
    ...(authorization !== undefined && { header: { Authorization: authorization } }),
    ...(made && { expires_in: made.expiresIn }),
  };
  if (operation === 'download') return ({ oid }) => ({ download: { href: `${base}/objects/${oid}`, ...common } });
  return ({ oid, size }) => ({
    upload: { href: `${base}/objects/${oid}/${size}`, ...common },
    verify: { href: `${base}/verify`, ...common },
  });
}

/** The token of the request. Returning it to its owner grants nothing, because each request is checked. */
function ownToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bearer = readBearer(header);
  return bearer !== undefined && isLfsToken(bearer) ? `Bearer ${bearer}` : header;
}

function present({ oid, size, transfers, error }: PlannedObject, actions: Actions) {
  if (error) return { oid, size, error };
  return transfers ? { oid, size, actions: actions({ oid, size, transfers }) } : { oid, size };
}

function otherHash({ oid, size }: PlannedObject): PlannedObject {
  return { oid, size, transfers: false, error: { code: 409, message: 'Only the hash algorithm sha256 is supported' } };
}
