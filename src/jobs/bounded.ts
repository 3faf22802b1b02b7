import { setTimeout as sleep } from 'node:timers/promises';

/** How long aborted work may take to end before it is abandoned, in milliseconds. */
export const ABANDON_MS = 5000;

/** Work was aborted because it took too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Work was aborted because the process stops; another one, or the next start, does it. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/**
 * Runs work that has a deadline and can be aborted. Work that ignores the signal is abandoned after some time: nobody waits for it, and
 * its later errors are ignored.
 * @param seconds its deadline
 * @param abandonMs how long it may take to end once it is aborted
 * @throws the signal's reason when the work did not succeed after the abort
 */
export async function runBounded(
  controller: AbortController,
  seconds: number,
  work: () => Promise<void>,
  abandonMs = ABANDON_MS,
): Promise<void> {
  const { signal } = controller;
  const late = setTimeout(() => controller.abort(new DeadlineError(`no end within ${seconds} s`)), seconds * 1000).unref();
  const ended = new AbortController();
  try {
    await Promise.race([work(), abandonment(signal, ended.signal, abandonMs)]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(late);
    ended.abort();
  }
}

/** Rejects some time after `signal`, unless the work has ended. */
async function abandonment(signal: AbortSignal, ended: AbortSignal, abandonMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: ended });
  });
  await sleep(abandonMs, undefined, { signal: ended });
  throw signal.reason;
}
