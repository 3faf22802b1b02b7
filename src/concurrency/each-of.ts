/** Runs `task` for each item, a few at a time. The first error ends it. */
export async function eachOf<T>(items: readonly T[], atOnce: number, task: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  let hasFailed = false;
  const work = async () => {
    for (const item of waiting) {
      if (hasFailed) return;
      await task(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work));
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
