import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { FileIndex } from '../file-index.ts';
import { digestOfFile, Hashing } from '../hashing.ts';
import { BackupError, FILE_LIST, MANIFEST, UNFINISHED } from '../layout.ts';
import type { BackupSink, NewFile } from './sink.ts';
import { writeFileList } from './write-list.ts';

/** Names of complete backups: the time of their snapshot. */
const BACKUP_NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(\d+))?Z$/;

/** The whole backups in a folder, oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => BACKUP_NAME.test(name)).sort(byMoment);
}

/** Backups of the same second are numbered, beginning with the second one. */
function byMoment(a: string, b: string): number {
  const [[, momentA = '', numberA = '1'], [, momentB = '', numberB = '1']] = [BACKUP_NAME.exec(a) ?? [], BACKUP_NAME.exec(b) ?? []];
  return momentA === momentB ? Number(numberA) - Number(numberB) : momentA < momentB ? -1 : 1;
}

/**
 * A backup as a folder beside earlier ones. Files unchanged since the previous backup are hard links to its files. The backup is written
 * to a separate folder and renamed at the end: the next backup reuses what a killed one has left there.
 */
export class FolderSink implements BackupSink {
  readonly #folder: string;
  readonly #root: string;
  readonly #previous: string | undefined;
  readonly #index: FileIndex;
  readonly scratch: string;
  transferred = 0;

  /**
   * @param folder of all backups
   * @param previous the name of the one before
   */
  constructor(folder: string, previous: string | undefined, index: FileIndex) {
    this.#folder = folder;
    this.#root = join(folder, UNFINISHED);
    this.#previous = previous && join(folder, previous);
    this.#index = index;
    this.scratch = join(folder, '.scratch');
  }

  async add(file: NewFile): Promise<void> {
    const { path, size, modified, isImmutable } = file;
    const sha256 = (await this.#adopt(file)) ?? (await this.#fromPrevious(file)) ?? (await this.#transfer(file));
    if (!isImmutable) await utimes(this.#at(path), modified / 1000, modified / 1000);
    this.#index.add({ path, size, modified, sha256 });
  }

  async link(path: string, existing: string): Promise<void> {
    const file = this.#index.find(existing);
    if (!file) throw new Error(`${existing} has not been added`);
    const target = await this.#placeFor(path);
    await rm(target, { force: true });
    await linkOrCopy(this.#at(existing), target);
    this.#index.add({ ...file, path, link: file.link ?? existing });
  }

  async move(path: string, scratch: string): Promise<void> {
    const { size, mtimeMs } = await stat(scratch);
    const sha256 = await digestOfFile(scratch);
    const target = await this.#placeFor(path);
    const previous = this.#index.previous(path);
    await rm(target, { force: true });
    if (previous?.sha256 === sha256 && this.#previous !== undefined && (await isLinked(join(this.#previous, path), target))) {
      await rm(scratch);
    } else {
      await rename(scratch, target);
      this.transferred += size;
    }
    this.#index.add({ path, size, modified: Math.floor(mtimeMs), sha256 });
  }

  async addText(path: string, text: string): Promise<void> {
    const scratch = join(this.scratch, `text-${path.replaceAll('/', '-')}`);
    await writeFile(scratch, text, { mode: 0o600 });
    await this.move(path, scratch);
  }

  async finish(manifest: (filesDigest: string) => string, name: string): Promise<string> {
    await this.#removeUnlisted();
    const digest = await writeFileList(this.#index, join(this.#root, FILE_LIST));
    await writeFile(join(this.#root, MANIFEST), manifest(digest), { mode: 0o600, flush: true });
    // One call for the whole file system: a file at a time takes far longer.
    await promisify(execFile)('sync', ['-f', this.#root]).catch(() => {});
    const taken = new Set(await backupsIn(this.#folder));
    let own = name;
    for (let number = 2; taken.has(own); number++) own = name.replace(/Z$/, `-${number}Z`);
    await rename(this.#root, join(this.#folder, own));
    await promisify(execFile)('sync', ['-f', this.#folder]).catch(() => {});
    return join(this.#folder, own);
  }

  async abort(): Promise<void> {}

  /** Files that a killed backup has already written; they are complete, since they are renamed last. */
  async #adopt({ path, size, modified, isImmutable }: NewFile): Promise<string | undefined> {
    const there = await stat(this.#at(path)).catch(() => undefined);
    if (!there) return undefined;
    if (there.isFile() && there.size === size && (isImmutable || Math.floor(there.mtimeMs) === modified))
      return await digestOfFile(this.#at(path));
    await rm(this.#at(path), { recursive: true });
    return undefined;
  }

  async #fromPrevious({ path, size, modified, isImmutable }: NewFile): Promise<string | undefined> {
    const previous = this.#index.previous(path);
    if (this.#previous === undefined || previous?.size !== size || (!isImmutable && previous.modified !== modified)) return undefined;
    return (await isLinked(join(this.#previous, path), await this.#placeFor(path))) ? previous.sha256 : undefined;
  }

  async #transfer({ path, size, open }: NewFile): Promise<string> {
    const source = await open();
    const target = await this.#placeFor(path);
    const hashing = new Hashing();
    try {
      await pipeline(source, hashing, createWriteStream(`${target}.part`, { mode: 0o600 }));
      if (hashing.size !== size) throw new BackupError(`${path} changed while it was copied`);
      await rename(`${target}.part`, target);
    } catch (error) {
      await rm(`${target}.part`, { force: true });
      throw error;
    }
    this.transferred += size;
    return hashing.digest();
  }

  /** Files of a killed backup that this one does not have. */
  async #removeUnlisted(): Promise<void> {
    for (const entry of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isDirectory() && !this.#index.find(path.slice(this.#root.length + 1))) await rm(path);
    }
  }

  #at(path: string): string {
    return join(this.#root, path);
  }

  async #placeFor(path: string): Promise<string> {
    const target = this.#at(path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    return target;
  }
}

/** Hard-links `from` as `to`, or copies it if that is impossible; false if it no longer exists. */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await linkOrCopy(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** File systems may have no hard links, or no more for this file. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(from, `${to}.part`);
    await rename(`${to}.part`, to);
  }
}
