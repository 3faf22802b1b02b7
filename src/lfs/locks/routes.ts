import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, query, route } from '../../http/route.ts';
import type { Settings } from '../../settings.ts';
import { checkGitToken } from '../../transport/git-caller.ts';
import { GitRefusal } from '../../transport/refusal.ts';
import { LfsError } from '../errors.ts';
import { readJson, requireAccept } from '../request.ts';
import { findLfsTarget, type LfsRequest, type LfsTarget, unauthorized } from '../target.ts';
import { createLock, deleteLock, isOwn, type LfsLock, LockExistsError, type LockFilter, listLocks } from './locks.ts';

const PATH = '//:owner/:repo/info/lfs/locks';
const common = { hidden: true, open: true, when: ({ lfs }: Settings) => lfs.enabled, responses: { 200: null } } as const;

/** Locks of files: https://github.com/git-lfs/git-lfs/blob/main/docs/api/locking.md */
export const lockRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'GET',
    path: PATH,
    id: 'lfsListLocks',
    summary: 'Lists locks',
    query: {
      id: query.string('the lock with this id'),
      path: query.string('the lock of this path'),
      cursor: query.integer('the `next_cursor` of the page before'),
      limit: query.integer('locks in the response'),
    },
    handle: (given, context) =>
      withTarget(context, given, 'read', 'You must have pull access to list locks', async ({ context, repository }) => {
        const { id, path } = given.query;
        if (id && !/^\d{1,15}$/.test(id)) throw new LfsError(400, 'bad request : the id is not a number');
        const { cursor, limit } = pageOf(context, given.query);
        const wanted = { cursor, limit, ...(id ? { id: Number(id) } : path ? { path } : {}) };
        return json(200, pageOfLocks(await listLocks(context.db, repository.id, wanted), cursor));
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: PATH,
    id: 'lfsCreateLock',
    summary: 'Locks a file',
    body: 'stream',
    handle: (given, context) =>
      withTarget(context, given, 'write', 'You must have push access to create locks', async (target) => {
        const { path } = await readJson(given.request);
        if (typeof path !== 'string') throw new LfsError(422, 'path: it names no file');
        return json(201, { lock: present(await createLock(target, path)) });
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${PATH}/verify`,
    id: 'lfsVerifyLocks',
    summary: 'Lists the locks of the caller and those of others before a push',
    body: 'stream',
    handle: (given, context) =>
      withTarget(context, given, 'write', 'You must have push access to verify locks', async (target) => {
        const { context, repository } = target;
        const { cursor, limit } = pageOf(context, await readJson(given.request, 400, true));
        const { locks, more } = await listLocks(context.db, repository.id, { cursor, limit });
        return json(200, {
          ours: locks.filter((lock) => isOwn(target, lock)).map(present),
          theirs: locks.filter((lock) => !isOwn(target, lock)).map(present),
          ...(more && { next_cursor: String(cursor + 1) }),
        });
      }),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${PATH}/:id/unlock`,
    id: 'lfsDeleteLock',
    summary: 'Removes a lock',
    body: 'stream',
    handle: (given, context) =>
      withTarget(context, given, 'write', 'You must have push access to delete locks', async (target) => {
        const { force } = await readJson(given.request);
        return json(200, { lock: present(await deleteLock(target, pathId(given.params.id), force === true)) });
      }),
  }),
];

/**
 * Finds the repository and serves a request. Locks require a sign-in, also in public repositories.
 * @param refused the message for callers who may not do this
 */
async function withTarget(
  services: Context,
  given: LfsRequest,
  level: 'read' | 'write',
  refused: string,
  respond: (target: LfsTarget) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    requireAccept(given.request);
    const target = await findLfsTarget(services, given, level);
    if (!target.context.actor && !target.isDeployKey) throw unauthorized(services);
    checkGitToken(target.context, target.repository, level);
    return await respond(target);
  } catch (error) {
    if (error instanceof GitRefusal) return error.toResponse();
    if (error instanceof LockExistsError) return json(409, { lock: present(error.lock), message: error.message });
    if (error instanceof LfsError && error.status === 415) return error.toResponse();
    if (error instanceof LfsError || error instanceof HttpError) {
      // A repository that does not exist and one that the caller may not see get the same response.
      const isHidden = error.status === 401 || (error.status === 404 && error.message === 'Not Found');
      const { headers } = isHidden ? unauthorized(services) : error;
      return json(isHidden ? 401 : error.status, { message: isHidden ? refused : error.message }, headers);
    }
    throw error;
  }
}

function pageOf({ settings }: Context, { cursor, limit }: Record<string, unknown>): Pick<LockFilter, 'cursor' | 'limit'> {
  const { locksPageSize } = settings.lfs;
  const [page, size] = [cursor, limit].map((value) => Math.min(Math.max(0, Math.trunc(Number(value) || 0)), 1_000_000));
  return { cursor: page ?? 0, limit: size ? Math.min(size, locksPageSize) : locksPageSize };
}

function pageOfLocks({ locks, more }: { locks: LfsLock[]; more: boolean }, cursor: number) {
  return { locks: locks.map(present), ...(more && { next_cursor: String(cursor + 1) }) };
}

function present({ id, path, created_at, owner }: LfsLock) {
  return { id: String(id), path, locked_at: new Date(created_at * 1000).toISOString().replace('.000Z', 'Z'), owner: { name: owner } };
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return new HttpResponse(`${JSON.stringify(body)}\n`, { status, headers: { ...headers, ...type }, raw: true });
}
