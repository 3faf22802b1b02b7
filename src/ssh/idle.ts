/** Checks of the progress within one idle timeout. */
const CHECKS = 4;

/**
 * Calls `onIdle` once if `progress` returns the same number for `idleTimeoutMs`.
 * @returns a function that ends the watch
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
  }, idleTimeoutMs / CHECKS).unref();
  return () => clearInterval(timer);
}
