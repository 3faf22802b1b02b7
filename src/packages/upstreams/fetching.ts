import { BusyError } from '../../concurrency/semaphore.ts';
import { type Context, callerKey } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { WorkerLimitError, WorkersBusyError, WorkerTaskError } from '../../workers/errors.ts';
import { PackageError } from '../errors.ts';
import { BASIC_CHALLENGE } from '../protocol/caller.ts';
import type { PackageCall } from '../protocol/format.ts';
import { type FetchKey, fetchOnce, runningFetch } from './once.ts';
import { UpstreamError } from './request.ts';
import { stateOf } from './state.ts';

/** How long it is cached that an upstream does not have something, in milliseconds. */
const MISSING_MS = 60_000;

/** Length limit of the path of something, for the index of the database, in characters. */
const MAX_PATH = 1000;

/** How a request was served, for the metrics. */
export type Outcome = 'hit' | 'miss' | 'revalidated' | 'stale' | 'missing' | 'error';

/** Counts a request for something of an upstream. */
export function countRequest({ metrics }: Pick<Context, 'metrics'>, { type }: PackageUpstreamRow, outcome: Outcome): void {
  metrics.count('copse_package_upstream_requests_total', `type="${type}",outcome="${outcome}"`);
}

/**
 * Fetches something for a caller: once at a time, within the limits of the caller, who has to be signed in unless the upstream's settings
 * allow anonymous fetches. What the upstream does not have is remembered for a short time.
 * @throws PackageError 401, 404, UpstreamError, BusyError
 */
export async function fetching<T>(
  { context, request }: Pick<PackageCall, 'context' | 'request'>,
  upstream: PackageUpstreamRow,
  path: string,
  find: () => Promise<T | undefined>,
  fetch: () => Promise<T>,
): Promise<T> {
  if (path.length > MAX_PATH) throw new PackageError('no-package');
  const key: FetchKey = { upstreamId: upstream.id, path };
  const { missing } = stateOf(context);
  const missingKey = `${upstream.id} ${path}`;
  if (missing.get(missingKey)) throw new PackageError('no-package');
  if (!context.actor && !upstream.anonymous_fetches) {
    // Clients of containers are told where they get a token.
    throw new PackageError('unauthorized', upstream.type === 'container' ? {} : { headers: BASIC_CHALLENGE });
  }
  const running = runningFetch<T>(context, key);
  if (running) return await running;
  const release = await context.semaphores.upstreams.acquire(callerKey(context), { signal: request.signal });
  try {
    return await fetchOnce(context, key, find, fetch);
  } catch (error) {
    if (isMissing(error)) missing.set(missingKey, true, MISSING_MS);
    throw error;
  } finally {
    release();
  }
}

/** Whether an error says that the upstream does not have something. */
export function isMissing(error: unknown): boolean {
  return error instanceof PackageError && error.problem === 'no-package';
}

/** Whether a cached entry may be served in spite of an error. */
export function isPassing(error: unknown): boolean {
  if (error instanceof PackageError) return error.problem === 'unauthorized' || error.status === 503;
  return isOfUpstream(error) || error instanceof BusyError || error instanceof WorkersBusyError;
}

/**
 * The client's error for an upstream's: 502 for errors of the upstream. Registries refuse anonymous callers for
 * what they do not have, so in that case it counts as missing.
 */
export function asRefusal(context: Context, upstream: PackageUpstreamRow, path: string, error: unknown): unknown {
  const isRefused = error instanceof UpstreamError && error.isRefused && upstream.credentials === null;
  countRequest(context, upstream, isRefused || isMissing(error) ? 'missing' : 'error');
  if (isRefused) return new PackageError('no-package');
  if (!isOfUpstream(error)) return error;
  context.log.warn({ err: error, upstream: upstream.id, path }, 'an upstream registry failed');
  const reason = error instanceof UpstreamError ? error.message : 'it sent what cannot be';
  return new PackageError('invalid', { status: 502, message: `the upstream registry failed: ${reason}` });
}

/** Whether an error is the upstream's. */
export function isOfUpstream(error: unknown): boolean {
  const isWrong = error instanceof PackageError && error.problem === 'wrong-digest';
  const isTooMuch = error instanceof WorkerLimitError || error instanceof WorkerTaskError || error instanceof BlobTooLargeError;
  return error instanceof UpstreamError || isWrong || isTooMuch;
}
