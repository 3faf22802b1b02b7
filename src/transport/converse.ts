import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Context, callerKey } from '../context.ts';
import { advertisePush, type ServiceResponse, uploadArchive, uploadPack } from '../git/protocol/upload-pack.ts';
import type { GitTarget } from './git-target.ts';
import { takePush } from './push.ts';

/** A client that talks with git over one connection, as over SSH. */
export interface Conversation {
  readonly input: Readable;
  readonly output: Writable;
  /** The client's `GIT_PROTOCOL`; empty for none. */
  readonly protocol: string;
  /** Aborted when the client disconnects, or is given up. */
  readonly signal: AbortSignal;
  /** Called when the client holds a permit: from then on an idle one keeps others waiting. */
  readonly admitted: () => void;
  /** Whether the caller still may do this: a client can wait for any time before it pushes. */
  readonly mayStill: () => Promise<boolean>;
}

/**
 * Serves a fetch or clone to its end.
 * @returns the exit code
 * @throws BusyError while too many are served
 */
export async function converseFetch(context: Context, target: GitTarget, given: Conversation): Promise<number> {
  return await withFetchPermit(context, given, async () => {
    const { input, protocol } = given;
    const timeoutMs = context.settings.git.transferTimeout;
    return await relay(uploadPack(target.folder, { input, protocol, stateless: false, timeoutMs }), given);
  });
}

/** Runs `fetch`, which sends objects, as one of those that the limits allow at one time. */
export async function withFetchPermit(
  context: Context,
  { signal, admitted }: Pick<Conversation, 'signal' | 'admitted'>,
  fetch: () => Promise<number>,
): Promise<number> {
  const release = await context.semaphores.fetches.acquire(callerKey(context), { signal });
  try {
    admitted();
    return await fetch();
  } finally {
    release();
  }
}

/**
 * Takes a push to its end, as one over HTTP: the refs are advertised without starting git, and what follows is one request. So a
 * client that takes its time, as for hooks of its own, keeps nobody waiting.
 * @returns the exit code
 * @throws InvalidPushError; BusyError while too many are received
 */
export async function conversePush(context: Context, target: GitTarget, given: Conversation): Promise<number> {
  const { input, output, protocol, signal, admitted, mayStill } = given;
  output.write(await advertisePush(target.folder, protocol, context.git.pool));
  return await relay(await takePush(context, target, { input, protocol, stateless: true, signal, admitted, mayStill }), given);
}

/**
 * Serves `git archive --remote` to its end.
 * @returns the exit code
 * @throws BusyError while too many are made
 */
export async function converseArchive(context: Context, { folder }: GitTarget, given: Conversation): Promise<number> {
  const release = await context.semaphores.archives.acquire(callerKey(context), { signal: given.signal });
  try {
    given.admitted();
    return await relay(uploadArchive(folder, { input: given.input, timeoutMs: context.settings.git.transferTimeout }), given);
  } finally {
    release();
  }
}

/** Writes git's output to the client. A disconnected client stops git; a started push completes all the same. */
async function relay(git: ServiceResponse<{ code: number | null }>, { output, signal }: Conversation): Promise<number> {
  const gone = await pipeline(git.output, output, { end: false, signal }).then(
    () => false,
    () => true,
  );
  const { code } = await git.ended;
  return gone ? 1 : (code ?? 1);
}
