import type { Readable } from 'node:stream';
import { type Context, callerKey } from '../context.ts';
import { canReadActivity } from '../git/processes/process-activity.ts';
import { readAhead, requestsPack } from '../git/protocol/fetch-request.ts';
import { serveLsRefs } from '../git/protocol/ls-refs.ts';
import { isVersionTwo, uploadPack, uploadPackInto } from '../git/protocol/upload-pack.ts';
import { DirectBody } from '../http/server/direct-body.ts';
import type { GitTarget } from './git-target.ts';

/** The request of a client. */
export interface FetchInput {
  /** Decompressed. */
  readonly input: Readable;
  readonly protocol: string;
  /** Whether the client takes a response that ends with the connection. */
  readonly readsToTheEnd: boolean;
  /** Ends the wait for a permit when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Serves one request of a fetch or clone. Git is started when the request has been read and there is a place for the caller.
 * @throws BusyError while too many are served
 */
export async function serveFetch(context: Context, target: GitTarget, given: FetchInput): Promise<Buffer | Readable | DirectBody> {
  const { git, settings } = context;
  const { folder } = target;
  const { protocol, signal } = given;
  const { bytes, rest } = await readAhead(given.input);
  const refs = rest === undefined && isVersionTwo(protocol) ? await serveLsRefs(folder, git.pool, bytes) : undefined;
  if (refs) return refs;
  const options = { protocol, timeoutMs: settings.git.transferTimeout };
  const release = await context.semaphores.fetches.acquire(callerKey(context), { signal });
  let isStarted = false;
  const watched = <T extends { ended: Promise<unknown> }>(start: () => T): T => {
    isStarted = true;
    try {
      const fetch = start();
      fetch.ended
        .catch((error: unknown) => context.log.error({ repository: target.repository.id, err: error }, 'a fetch failed'))
        .finally(release);
      return fetch;
    } catch (error) {
      release();
      throw error;
    }
  };
  const relayed = () => watched(() => uploadPack(folder, { ...options, head: bytes, input: rest, stateless: true })).output;
  // Relayed, a clone of 12 MB costs 144 ms of processor time; written by git itself, 72 ms.
  if (rest !== undefined || !given.readsToTheEnd || !canReadActivity || !requestsPack(bytes)) return relayed();
  // For a client that goes before, git is never started.
  signal.addEventListener('abort', () => isStarted || release(), { once: true });
  const idleTimeoutMs = settings.server.idleTimeout;
  return new DirectBody((connection) => watched(() => uploadPackInto(connection, folder, bytes, { ...options, idleTimeoutMs })), relayed);
}
