import fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

// Made once: for each call it would take longer than the call itself.
const syncFile = promisify((opened: number, done: (error: Error | null) => void) => fs.fsync(opened, done));

/** Brings the names in a folder to the disk: of a file that was synced, its name need not be there yet. */
export async function syncEntries(folder: string): Promise<void> {
  // A name in it was just changed, so it is in memory: to ask another thread takes ten times as long.
  const opened = fs.openSync(folder, 'r');
  try {
    await syncFile(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * {@link syncEntries} for a folder, and for those above it that were made with it.
 * @param made the highest of them, as `mkdir` returns it; undefined if the folder was there
 */
export async function syncEntriesUpTo(folder: string, made: string | undefined): Promise<void> {
  await syncEntries(folder);
  for (let at = folder; made !== undefined && at.length >= made.length; at = dirname(at)) await syncEntries(dirname(at));
}
