import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another writer held the lock for too long. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

/** A part of the path of a lock file is a file. */
export class LockPathError extends Error {
  override readonly name = 'LockPathError';
}

/**
 * A lock like git's: `path.lock`, created only if missing, and renamed to `path` to commit
 * (https://git-scm.com/docs/api-lockfile). git processes and ours exclude each other with it.
 */
export interface LockFile {
  /** The file that is locked. */
  readonly path: string;
  /** Writes the content that the file gets with the commit. */
  write(content: string): Promise<void>;
  /** Puts the written content into place and releases the lock. */
  commit(): Promise<void>;
  /** Replaces the file's content at once, by way of `path.new` like git does for `packed-refs`. The lock stays. */
  replace(content: string): Promise<void>;
  /** Releases the lock and leaves the file unchanged. May be called after a commit. */
  release(): Promise<void>;
}

/** How long {@link lockFile} waits for another holder. */
export const LOCK_WAIT_MS = 1000;

/**
 * Locks `path`, creating its folders below `root`.
 * @throws LockError when another holds it for longer than `waitMs`; LockPathError when one of its folders is a file
 */
export async function lockFile(root: string, path: string, waitMs = LOCK_WAIT_MS): Promise<LockFile> {
  const lockPath = `${path}.lock`;
  const deadline = Date.now() + waitMs;
  // The last attempt begins after the deadline: on a busy machine creating the folders may take that long, with nobody holding the lock.
  let isLast = false;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return heldLock(path, lockPath, await open(lockPath, 'wx', 0o644));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') throw new LockPathError(`${path} runs through a file`);
      if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
      // git deletes folders that have become empty, even between their creation here and the opening of the file.
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
        // Deleted refs leave empty folders where a file is created now.
        if (error.code !== 'EISDIR' && error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
        await removeEmptyFolders(path);
        await rename(lockPath, path);
      });
      state = 'ended';
    },
    async replace(content) {
      // Only the holder of the lock writes here: an existing file was left by a process that was killed.
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

/** Creates `folder` and its parents, but never `root`: a repository that was deleted stays deleted. */
async function makeFolders(root: string, folder: string): Promise<void> {
  await stat(root);
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'ENOTDIR') throw new LockPathError(`${folder} runs through a file`);
    throw error;
  });
}

/** Deletes `folder` if it contains nothing but empty folders; otherwise leaves what is not empty. */
export async function removeEmptyFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder).catch(() => {});
}

/** Deletes the empty folders from `path` upwards, up to `stop`, which stays. */
export async function removeEmptyParents(path: string, stop: string): Promise<void> {
  for (let folder = dirname(path); folder.length > stop.length && folder.startsWith(stop); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
