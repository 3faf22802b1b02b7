import { type Context, inTransaction } from '../context.ts';
import type { Jobs, JobType } from './jobs.ts';

/** The types of jobs that delete what is stored under some keys. */
type RemovalType = { [T in JobType]: Jobs[T] extends { keys: string[] } ? T : never }[JobType];

/** When a job deletes the bytes that this process did not come to. */
const RETRY_SECONDS = 60;

/**
 * Deletes rows in a transaction, then their bytes. If the process ends in between, a job deletes the bytes.
 * @param removeRows deletes the rows; returns the storage keys of their bytes, which no other row ever has
 * @returns how many keys there were
 */
export async function removeWithBytes(
  context: Context,
  type: RemovalType,
  removeRows: (context: Context) => Promise<string[]>,
): Promise<number> {
  const { keys, job } = await inTransaction(context, async (context) => {
    const keys = await removeRows(context);
    return { keys, job: keys.length > 0 ? await context.jobs.add(context, type, { keys }, { delay: RETRY_SECONDS }) : undefined };
  });
  await removeBytes({ keys }, context);
  if (job !== undefined) await context.jobs.cancel(context, job);
  return keys.length;
}

/** The job that deletes bytes whose rows are deleted. */
export async function removeBytes({ keys }: { keys: string[] }, { storage }: Context): Promise<void> {
  for (const key of keys) await storage.delete(key);
}
