import { setTimeout as sleep } from 'node:timers/promises';

/** How long aborted work may take to end before nobody waits for it any more, in milliseconds. */
const ABANDON_MS = 5000;

/** Work was aborted because it took too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Work was aborted because the process stops; another one, or the next start, does it. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/**
 * Runs work that has a deadline and can be aborted. Work that does not heed the signal is abandoned after some seconds: nobody waits
 * for it, and what it throws later is ignored.
 * @param seconds its deadline
 * @throws the signal's reason when the work did not succeed after the abortion
 */
export async function runBounded(controller: AbortController, seconds: number, work: () => Promise<void>): Promise<void> {
  const { signal } = controller;
  const late = setTimeout(() => controller.abort(new DeadlineError(`no end within ${seconds} s`)), seconds * 1000).unref();
  const ended = new AbortController();
  try {
    await Promise.race([work(), abandonment(signal, ended.signal)]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(late);
    ended.abort();
  }
}

/** Rejects some seconds after `signal`, unless the work has ended. */
async function abandonment(signal: AbortSignal, ended: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: ended });
  });
  await sleep(ABANDON_MS, undefined, { signal: ended });
  throw signal.reason;
}
