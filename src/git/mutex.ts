const ends = new Map<string, Promise<void>>();

/**
 * Runs `task` when the earlier ones with the same key have ended: writers of this process do not make their work in vain. It
 * is no lock: other processes do not know of it.
 */
export async function withMutex<T>(key: string, task: () => Promise<T>): Promise<T> {
  const before = ends.get(key);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  ends.set(key, end);
  try {
    await before;
    return await task();
  } finally {
    resolve();
    if (ends.get(key) === end) ends.delete(key);
  }
}
