/** How often the progress is looked at within the time that may pass without any. */
const LOOKS = 4;

/**
 * Calls `onIdle` once when a number has stayed the same for so long.
 * @returns ends the watch
 */
export function watchIdle(progress: () => number, idleTimeoutMs: number, onIdle: () => void): () => void {
  let last = progress();
  let since = performance.now();
  const timer = setInterval(() => {
    const current = progress();
    const time = performance.now();
    if (current !== last) [last, since] = [current, time];
    else if (time - since >= idleTimeoutMs) {
      clearInterval(timer);
      onIdle();
    }
  }, idleTimeoutMs / LOOKS).unref();
  return () => clearInterval(timer);
}
