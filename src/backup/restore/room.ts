import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from '../layout.ts';

/** Bytes that stay free: a full disk stops whatever else runs on it. */
const RESERVE = 64 * 2 ** 20;
/** Bytes after which the free space is looked at again. */
const STEP = 16 * 2 ** 20;
/** Minimum size of a file on disk. */
const BLOCK = 4096;

/** The free disk space for a backup that is read: a damaged or hostile one can claim any size. */
export class Room {
  #unchecked = STEP;

  /**
   * Called before so many bytes are written into a folder, which may not exist yet.
   * @throws BackupError when the disk has no room for them
   */
  async take(folder: string, bytes: number): Promise<void> {
    this.#unchecked += Math.max(bytes, BLOCK);
    if (this.#unchecked < STEP) return;
    this.#unchecked = 0;
    if ((await freeAt(folder)) < bytes + RESERVE)
      throw new BackupError(`there is no room for ${bytes} bytes more of the backup in ${folder}`);
  }
}

async function freeAt(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return freeAt(parent);
  }
}
