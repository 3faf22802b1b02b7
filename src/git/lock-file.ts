import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another writer held the lock for too long. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

/** The way to a lock file goes through something that is a file. */
export class LockPathError extends Error {
  override readonly name = 'LockPathError';
}

/**
 * A lock as git takes it: `path.lock`, made only if it is not there, renamed over `path` to commit
 * (https://git-scm.com/docs/api-lockfile). git processes and ours exclude each other with it.
 */
export interface LockFile {
  /** The file that is locked. */
  readonly path: string;
  /** Writes the content that the file gets with the commit. */
  write(content: string): Promise<void>;
  /** Puts what was written into place and ends the lock. */
  commit(): Promise<void>;
  /** Gives the file this content at once, by way of `path.new` as git does with `packed-refs`. The lock stays. */
  replace(content: string): Promise<void>;
  /** Ends the lock and leaves the file as it is. May be called after a commit. */
  release(): Promise<void>;
}

/** How long {@link lockFile} waits for another to let go. */
export const LOCK_WAIT_MS = 1000;

/**
 * Locks `path`, making the folders to it below `root`.
 * @throws LockError when another holds it for longer than `waitMs`; LockPathError when a folder to it is a file
 */
export async function lockFile(root: string, path: string, waitMs = LOCK_WAIT_MS): Promise<LockFile> {
  const lockPath = `${path}.lock`;
  const deadline = Date.now() + waitMs;
  // The last attempt begins after the deadline: a busy machine may be past it before the folders are made, with nobody holding the lock.
  let isLast = false;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return heldLock(path, lockPath, await open(lockPath, 'wx', 0o644));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') throw new LockPathError(`${path} runs through a file`);
      if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
      // git removes folders that have become empty, also between our making them and opening the file.
      if (code === 'ENOENT') await makeFolders(root, dirname(path));
      if (isLast) throw new LockError(`${relative(root, path)} is locked by another writer`);
      if (code === 'EEXIST') await sleep(pause + Math.random() * pause);
      isLast = Date.now() > deadline;
    }
  }
}

function heldLock(path: string, lockPath: string, file: FileHandle): LockFile {
  let state: 'open' | 'written' | 'ended' = 'open';
  const close = async () => {
    if (state === 'open') await file.close();
  };
  return {
    path,
    async write(content) {
      await file.writeFile(content);
      await file.datasync();
      await file.close();
      state = 'written';
    },
    async commit() {
      await rename(lockPath, path).catch(async (error: NodeJS.ErrnoException) => {
        // Empty folders at the place of a file are what deleted refs left behind.
        if (error.code !== 'EISDIR' && error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
        await removeEmptyFolders(path);
        await rename(lockPath, path);
      });
      state = 'ended';
    },
    async replace(content) {
      // Only who holds the lock writes here: what is there was left by a process that was killed.
      await writeFile(`${path}.new`, content, { mode: 0o644, flush: true });
      await rename(`${path}.new`, path);
    },
    async release() {
      if (state === 'ended') return;
      await close();
      state = 'ended';
      await rm(lockPath, { force: true });
    },
  };
}

/** Makes `folder` and what leads to it, but never `root`: a repository that was removed stays removed. */
async function makeFolders(root: string, folder: string): Promise<void> {
  await stat(root);
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'ENOTDIR') throw new LockPathError(`${folder} runs through a file`);
    throw error;
  });
}

/** Removes `folder` if there is nothing but empty folders in it; otherwise leaves what is not empty. */
export async function removeEmptyFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder).catch(() => {});
}

/** Removes the empty folders from `path` upwards, as far as `stop`, which stays. */
export async function removeEmptyParents(path: string, stop: string): Promise<void> {
  for (let folder = dirname(path); folder.length > stop.length && folder.startsWith(stop); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
