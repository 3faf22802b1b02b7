/**
 * Calls `onLost` once when `mayStill` is false. It is asked every `everyMs`; when that fails, such as without a database, it is asked again.
 * @returns a function that ends the watch
 */
export function watchAccess(mayStill: () => Promise<boolean>, everyMs: number, onLost: () => void): () => void {
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const may = await mayStill().catch(() => true);
    isAsking = false;
    if (may) return;
    clearInterval(timer);
    onLost();
  };
  const timer = setInterval(() => void ask(), everyMs).unref();
  return () => clearInterval(timer);
}
