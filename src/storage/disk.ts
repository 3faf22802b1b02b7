import { randomUUID } from 'node:crypto';
import { close, createWriteStream, fstat, open as openPath, writeFile } from 'node:fs';
import { copyFile, link, mkdir, open, opendir, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { FileSink } from './file-sink.ts';
import { FileStream } from './file-stream.ts';
import { OwnedBytes } from './owned-bytes.ts';
import { BlobExistsError, type BlobInfo, checkKey, type ExpectedBlob, type ListedBlob, type Storage } from './storage.ts';
import { syncEntriesUpTo } from './sync-entries.ts';
import { checkBytes, Verification, VerifiedBytes } from './verified.ts';
import { canWriteDurably, writeDurably } from './write-durably.ts';

// Made once: for each call it would take longer than the call itself.
const [openFile, statFile, closeFile, writeWhole] = [promisify(openPath), promisify(fstat), promisify(close), promisify(writeFile)];

/**
 * Blobs as files in one folder. They are written under a temporary name and renamed, so that none is ever incomplete, but for those whose key
 * nobody knows yet.
 */
export class DiskStorage implements Storage {
  readonly #root: string;
  /** @param root an absolute path, created if it is missing */
  constructor(root: string) {
    this.#root = root;
  }

  async put(key: string, content: Readable | Uint8Array, expected: ExpectedBlob = {}): Promise<BlobInfo> {
    const target = this.#path(key);
    const isAtOnce = expected.isUnknown && content instanceof Uint8Array && content.length > 0 && canWriteDurably;
    if (isAtOnce) return await putAtOnce(target, content, expected);
    const temporary = this.#temporary();
    try {
      const size = await write(temporary, content, expected);
      await place(target, () => (expected.isNew ? linkNew(temporary, target) : rename(temporary, target)));
      return { size };
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async get(key: string, range?: { start: number; end: number }): Promise<(BlobInfo & { stream: Readable }) | undefined> {
    let file: number;
    try {
      file = await openFile(this.#path(key), 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const { size } = await statFile(file);
      const { start = 0, end = size - 1 } = range ?? {};
      return { size, stream: new FileStream(file, { start, end: Math.min(end + 1, size) }) };
    } catch (error) {
      await closeFile(file);
      throw error;
    }
  }

  async info(key: string): Promise<BlobInfo | undefined> {
    try {
      return { size: (await stat(this.#path(key))).size };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** A link to the same bytes: stored bytes never change, they are only replaced. */
  async copy(from: string, to: string): Promise<BlobInfo | undefined> {
    const [source, target] = [this.#path(from), this.#path(to)];
    const temporary = this.#temporary();
    try {
      await inFolder(temporary, () => linkOrCopy(source, temporary));
      const time = new Date();
      await utimes(temporary, time, time);
      const { size } = await stat(temporary);
      await place(target, () => rename(temporary, target));
      return { size };
    } catch (error) {
      nothingThere(error as NodeJS.ErrnoException);
      return undefined;
    } finally {
      // A rename onto another name of the same file does nothing.
      await rm(temporary, { force: true });
    }
  }

  async delete(key: string): Promise<void> {
    await unlink(this.#path(key)).catch(nothingThere);
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    const folder = prefix.replace(/\/$/, '');
    for await (const path of filesBelow(this.#path(folder))) {
      const info = await stat(path).catch(nothingThere);
      const key = folder + path.slice(this.#path(folder).length);
      if ('mtimeMs' in info) yield { key, size: info.size, modified: Math.floor(info.mtimeMs / 1000) };
    }
  }

  async link(): Promise<undefined> {}

  async removeUnfinished(seconds: number): Promise<void> {
    const folder = join(this.#root, 'tmp');
    for (const name of await readdir(folder).catch(nothingThere)) {
      const path = join(folder, name);
      const info = await stat(path).catch(nothingThere);
      if ('mtimeMs' in info && info.mtimeMs < Date.now() - seconds * 1000) await rm(path, { force: true });
    }
  }

  /** A new path for an incomplete file. */
  #temporary(): string {
    return join(this.#root, 'tmp', randomUUID());
  }

  #path(key: string): string {
    return join(this.#root, checkKey(key));
  }
}

/**
 * Writes a file to the disk, and returns its bytes.
 * @throws BlobTooLargeError, BlobMismatchError, and what `content` fails with
 */
async function write(path: string, content: Readable | Uint8Array, expected: ExpectedBlob): Promise<number> {
  if (content instanceof Uint8Array) {
    checkBytes(content, expected);
    const isDurable = canWriteDurably && content.length > 0;
    await inFolder(path, () => (isDurable ? writeDurably(path, content) : writeWhole(path, content, { flush: true })));
    return content.length;
  }
  await mkdir(dirname(path), { recursive: true });
  if (content instanceof OwnedBytes) {
    const verification = new Verification(expected);
    await pipeline(content, new FileSink(path, verification));
    return verification.size;
  }
  const verified = new VerifiedBytes(expected);
  await pipeline(content, verified, createWriteStream(path, { flush: true }));
  return verified.size;
}

/** Writes a few bytes under their name at once: to give it to a complete file would be one more step of another thread. */
async function putAtOnce(target: string, content: Uint8Array, expected: ExpectedBlob): Promise<BlobInfo> {
  checkBytes(content, expected);
  try {
    await inFolder(target, (made) => writeDurably(target, content, () => syncEntriesUpTo(dirname(target), made)));
    return { size: content.length };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(target, { force: true });
    throw error;
  }
}

/** Gives a blob its name, which is on the disk then as its bytes are. */
async function place(target: string, step: () => Promise<void>): Promise<void> {
  await syncEntriesUpTo(dirname(target), await inFolder(target, step));
}

/**
 * Creates the folder of a file if it is missing: usually it exists.
 * @param step gets the highest folder that was made
 * @returns it
 */
async function inFolder(path: string, step: (made: string | undefined) => Promise<void>): Promise<string | undefined> {
  try {
    await step(undefined);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const made = await mkdir(dirname(path), { recursive: true });
    await step(made);
    return made;
  }
}

/** @throws BlobExistsError */
async function linkNew(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new BlobExistsError('there is a blob of this key') : error;
  }
  await rm(temporary, { force: true });
}

/** Some file systems have no links, or a limit on those of a file. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  await link(source, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error;
    await copyFile(source, target);
    const file = await open(target, 'r+');
    await file.sync().finally(() => file.close());
  });
}

function nothingThere(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

/** The paths of all files in a folder and those below it, without reading all names at once. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(nothingThere);
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}
