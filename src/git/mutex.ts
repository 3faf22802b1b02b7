const ends = new Map<string, Promise<void>>();

/**
 * Runs `task` when the earlier ones with the same key have ended, so that writers of this process do not have to retry. It does not exclude
 * other processes.
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
