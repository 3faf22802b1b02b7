import { closeSync, constants, open, write } from 'node:fs';
import { promisify } from 'node:util';

// Made once: for each call it would take longer than the call itself.
const [openFile, writeBytes] = [promisify(open), promisify(write)];
/** A new file, whose bytes are on the disk when they are written: a sync of its own would be one more step of another thread. */
const DURABLE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_DSYNC ?? 0);

/** Whether {@link writeDurably} does what it says: some systems have no such way of writing. */
export const canWriteDurably = constants.O_DSYNC !== undefined;

/**
 * Creates a file of these bytes, of which there are some, that are on the disk then; its name need not be.
 * @param meanwhile runs while they are written, once the file has its name
 */
export async function writeDurably(path: string, bytes: Uint8Array, meanwhile = async () => {}): Promise<void> {
  const file = await openFile(path, DURABLE, 0o666);
  try {
    const results = await Promise.allSettled([writeAll(file, bytes), meanwhile()]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  } finally {
    // Nothing is left to be written, so nothing is waited for.
    closeSync(file);
  }
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await writeBytes(file, bytes, at, bytes.length - at)).bytesWritten;
}
