import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Brings the names in a folder to the disk: of a file that was synced, its name need not be there yet. */
export async function syncEntries(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * {@link syncEntries} for a folder, and for those above it that were made with it.
 * @param made the highest of them, as `mkdir` returns it; undefined if the folder was there
 */
export async function syncEntriesUpTo(folder: string, made: string | undefined): Promise<void> {
  await syncEntries(folder);
  for (let at = folder; made !== undefined && at.length >= made.length; at = dirname(at)) await syncEntries(dirname(at));
}
