import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BusyError } from '../concurrency/semaphore.ts';
import { type Context, callerKey } from '../context.ts';
import { InvalidPushError } from '../git/protocol/push-commands.ts';
import { advertiseRefs, isVersionTwo, type TransportService, uploadArchive } from '../git/protocol/upload-pack.ts';
import { listRefs, readHead } from '../git/refs/refs.ts';
import { MovedError } from '../http/errors.ts';
import { type HttpResponse, raw } from '../http/responses.ts';
import type { RequestParts } from '../http/route.ts';
import { BodyLimitError, boundedStream } from './bounded-stream.ts';
import { serveFetch } from './fetch.ts';
import { gitCaller } from './git-caller.ts';
import { GitMoved, type GitTarget, parseGitUrl } from './git-target.ts';
import { openGitTarget } from './open-target.ts';
import { takePush } from './push.ts';
import { GitRefusal } from './refusal.ts';

/*
 * Smart HTTP: https://git-scm.com/docs/gitprotocol-http
 */

/** The arguments of a git route. */
export interface GitRequest {
  readonly params: Readonly<Record<'owner' | 'repo', string>>;
  readonly request: RequestParts;
}

const NO_CACHE = {
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
  'cache-control': 'no-cache, max-age=0, must-revalidate',
};
/**
 * The git program, which takes a body that ends with the connection. Others may not: libgit2 (`git/2.0 (libgit2 1.9.7)`, also with other
 * words in the brackets) takes a response without a length for one without a body, whatever RFC 9112 says.
 */
const READS_TO_THE_END = /^git\/\d+\.\d+\.\d/;
/** Size limit of the wants and haves of a client in bytes. */
const MAX_FETCH_REQUEST = 64 * 1024 * 1024;
/** How often a POST follows a former name: an account's, and a repository's. */
const MAX_MOVES = 3;
/** Size limit of the arguments of `git archive` in bytes. */
const MAX_ARCHIVE_REQUEST = 64 * 1024;
/** Size limit of a push besides its pack in bytes. */
const MAX_PUSH_EXTRA = 32 * 1024 * 1024;

/** `GET info/refs`: the capabilities of the service and the refs; without a service, the plain list of refs. */
export async function serveInfoRefs(context: Context, given: GitRequest): Promise<HttpResponse> {
  return withGitErrors(given, async () => {
    const name = new URL(given.request.url).searchParams.get('service') ?? '';
    if (name === '') return await withTarget(context, given, 'read', (caller, target) => plainRefs(caller, target));
    const service = readService(name);
    const protocol = protocolOf(given.request);
    return await withTarget(context, given, levelOf(service), async (caller, target) => {
      const advertise = () => advertiseRefs(target.folder, service, protocol, caller.git.pool);
      // Before version 2, git lists the refs.
      const asksGit = service === 'upload-pack' && !isVersionTwo(protocol);
      const { signal } = given.request;
      const body = await (asksGit ? caller.semaphores.fetches.run(callerKey(caller), advertise, { signal }) : advertise());
      return raw(body, `application/x-git-${service}-advertisement`, { headers: NO_CACHE });
    });
  });
}

/** `POST git-upload-pack`: a fetch or clone. */
export async function serveUploadPack(context: Context, given: GitRequest): Promise<HttpResponse> {
  return withGitErrors(given, () =>
    withTarget(context, given, 'read', async (caller, target) => {
      requireType(given.request, 'upload-pack');
      const body = await serveFetch(caller, target, {
        input: bodyOf(given.request, MAX_FETCH_REQUEST),
        protocol: protocolOf(given.request),
        readsToTheEnd: READS_TO_THE_END.test(given.request.headers['user-agent'] ?? ''),
        signal: given.request.signal,
      });
      return raw(body, 'application/x-git-upload-pack-result', { headers: NO_CACHE });
    }),
  );
}

/** `POST git-receive-pack`: a push. */
export async function serveReceivePack(context: Context, given: GitRequest): Promise<HttpResponse> {
  return withGitErrors(given, () =>
    withTarget(context, given, 'write', async (caller, target) => {
      requireType(given.request, 'receive-pack');
      const input = bodyOf(given.request, caller.settings.limits.pushBody + MAX_PUSH_EXTRA);
      const { output } = await takePush(caller, target, {
        input,
        protocol: protocolOf(given.request),
        stateless: true,
        signal: given.request.signal,
        mayStill: () => isStillGood(caller, given.request),
      });
      return raw(output, 'application/x-git-receive-pack-result', { headers: NO_CACHE });
    }),
  );
}

/** `POST git-upload-archive`: `git archive --remote` of git 2.44 and newer. */
export async function serveUploadArchive(context: Context, given: GitRequest): Promise<HttpResponse> {
  return withGitErrors(given, () =>
    withTarget(context, given, 'read', async (caller, { folder }) => {
      const { request } = given;
      requireType(request, 'upload-archive');
      // As a whole before it holds a permit: a client can take its time.
      const input = Readable.from(await bodyOf(request, MAX_ARCHIVE_REQUEST).toArray());
      const release = await caller.semaphores.archives.acquire(callerKey(caller), { signal: request.signal });
      try {
        const { output, ended } = uploadArchive(folder, { input, timeoutMs: caller.settings.git.transferTimeout });
        ended.then(release, release);
        return raw(output, 'application/x-git-upload-archive-result', { headers: NO_CACHE });
      } catch (error) {
        release();
        throw error;
      }
    }),
  );
}

/** Whether the token of a request, if it has one, still is the caller's: it can be revoked, or its job end, while a push is sent. */
async function isStillGood(caller: Context, request: RequestParts): Promise<boolean> {
  if (caller.signIn.method !== 'token' && caller.signIn.method !== 'oauth2') return true;
  try {
    return (await gitCaller(caller, request)).actor?.id === caller.actor?.id;
  } catch (error) {
    if (error instanceof GitRefusal) return false;
    throw error;
  }
}

/** `GET HEAD`, for clients that do not speak the smart protocol. */
export async function serveHead(context: Context, given: GitRequest): Promise<HttpResponse> {
  return withGitErrors(given, () =>
    withTarget(context, given, 'read', async ({ git }, { folder }) => {
      const { ref, oid } = await readHead(folder, git.pool);
      return raw(ref === undefined ? `${oid ?? ''}\n` : `ref: ${ref}\n`, 'text/plain; charset=utf-8', { headers: NO_CACHE });
    }),
  );
}

/**
 * Objects and packs are not served as files: that would show what no ref leads to, and what is not accepted yet.
 * Users who may not see the repository learn as much as everywhere else.
 */
export async function refuseFile(context: Context, given: GitRequest): Promise<HttpResponse> {
  return withGitErrors(given, () =>
    withTarget(context, given, 'read', async () => {
      throw new GitRefusal(403, 'The dumb HTTP protocol is not served; use a git of version 1.6.6 or newer.\n');
    }),
  );
}

async function plainRefs({ git }: Context, { folder }: GitTarget): Promise<HttpResponse> {
  const refs = await listRefs(folder, git.pool);
  const text = refs.map(({ name, oid, peeled }) => `${oid}\t${name}\n${peeled === undefined ? '' : `${peeled}\t${name}^{}\n`}`).join('');
  return raw(text, 'text/plain; charset=utf-8', { headers: NO_CACHE });
}

async function withTarget(
  services: Context,
  given: GitRequest,
  service: 'read' | 'write',
  respond: (context: Context, target: GitTarget) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (!services.settings.repository.httpGitEnabled) {
    throw new GitRefusal(403, 'Interacting with repositories by HTTP protocol is not allowed');
  }
  const context = await gitCaller(services, given.request);
  return await respond(context, await targetOf(context, given, service));
}

/** Git follows no redirect of a POST: where a repository got another name since its refs were sent, it is served at the old one. */
async function targetOf(context: Context, { params, request }: GitRequest, service: 'read' | 'write'): Promise<GitTarget> {
  let address = parseGitUrl(params.owner, params.repo);
  for (let moves = 0; ; moves++) {
    try {
      return await openGitTarget(context, address, service);
    } catch (error) {
      if (!(error instanceof GitMoved) || request.method !== 'POST' || moves === MAX_MOVES) throw error;
      const [owner = '', name] = error.to.split('/');
      address = name === undefined ? { ...address, owner } : parseGitUrl(owner, name);
    }
  }
}

/** Turns the errors of the steps into responses that git understands. */
async function withGitErrors({ params, request }: GitRequest, respond: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await respond();
  } catch (error) {
    if (error instanceof GitRefusal) return error.toResponse();
    if (error instanceof GitMoved) throw new MovedError(movedUrl(params, request.url, error), error.status);
    if (error instanceof BusyError) {
      return new GitRefusal(503, `${error.message}\n`, { 'retry-after': String(error.retryAfter) }).toResponse();
    }
    if (isUnreadable(error)) return new GitRefusal(400, 'the request body cannot be read\n').toResponse();
    if (error instanceof InvalidPushError) return new GitRefusal(400, `${error.message}\n`).toResponse();
    throw error;
  }
}

/** The same URL with the new name: `owner/name` if the repository moved, `owner` if the account was renamed. */
function movedUrl({ owner, repo }: GitRequest['params'], url: string, { to }: GitMoved): string {
  const { pathname, search } = new URL(url);
  const old = to.includes('/') ? `${owner}/${repo}` : owner;
  const at = decodeURIComponent(pathname).indexOf(`/${old}/`);
  const rest = decodeURIComponent(pathname).slice(at + old.length + 1);
  const before = decodeURIComponent(pathname).slice(0, Math.max(0, at) + 1);
  return `${encodeURI(before + to + rest)}${search}`;
}

function readService(name: string): TransportService {
  if (name === 'git-upload-pack') return 'upload-pack';
  if (name === 'git-receive-pack') return 'receive-pack';
  throw new GitRefusal(400, '');
}

function levelOf(service: TransportService): 'read' | 'write' {
  return service === 'upload-pack' ? 'read' : 'write';
}

function protocolOf({ headers }: RequestParts): string {
  return headers['git-protocol']?.toString() ?? '';
}

function requireType({ headers }: RequestParts, service: TransportService | 'upload-archive'): void {
  if (headers['content-type'] !== `application/x-git-${service}-request`) throw new GitRefusal(400, '');
}

/** Not compressed as declared, too large, or truncated. */
function isUnreadable(error: unknown): boolean {
  const code = String((error as NodeJS.ErrnoException | null)?.code);
  return error instanceof BodyLimitError || code.startsWith('Z_') || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** The body, unpacked if it is packed, of at most `limit` bytes: a small body can become any number of them. */
function bodyOf({ headers, raw }: RequestParts, limit: number): Readable {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return boundedStream(raw, limit);
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new GitRefusal(415, '');
  const gunzip = createGunzip();
  raw.on('error', (error) => gunzip.destroy(error));
  raw.on('close', () => {
    if (!raw.readableEnded) gunzip.destroy(new Error('the client is gone'));
  });
  return boundedStream(raw.pipe(gunzip), limit);
}
