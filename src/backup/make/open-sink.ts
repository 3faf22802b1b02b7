import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createZstdDecompress } from 'node:zlib';
import { FolderInUseError, lockFolder } from '../../database/folder-lock.ts';
import { FileIndex } from '../file-index.ts';
import { BackupError, type BackupFile, FILE_LIST, UNFINISHED } from '../layout.ts';
import { backupsIn, FolderSink } from './folder-sink.ts';
import type { BackupSink } from './sink.ts';
import { TarSink } from './tar-sink.ts';

/** An open sink, with the index of the added files. */
export interface OpenSink {
  readonly sink: BackupSink;
  readonly index: FileIndex;
  /** Ends it, whether or not the backup was finished. */
  close(isFinished: boolean): Promise<void>;
}

/**
 * Opens the target of a backup: an archive if its name ends with `.tar` or `.tar.zst`, otherwise a folder of backups.
 * @throws BackupError when another backup writes to it, or it contains something else
 */
export async function openSink(to: string): Promise<OpenSink> {
  const path = resolve(to);
  return /\.tar(\.zst)?$/.test(path) ? await openArchive(path) : await openFolder(path);
}

async function openArchive(path: string): Promise<OpenSink> {
  if (existsSync(path)) throw new BackupError(`${path} exists already`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(dirname(path), `.${basename(path)}-`));
  const index = new FileIndex(join(scratch, 'index.db'));
  const sink = await TarSink.open(path, index, scratch);
  return {
    sink,
    index,
    close: async (isFinished) => {
      if (!isFinished) await sink.abort();
      index.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

async function openFolder(folder: string): Promise<OpenSink> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await refuseOthers(folder);
  const release = await lock(folder);
  try {
    const previous = (await backupsIn(folder)).at(-1);
    const scratch = join(folder, '.scratch');
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    await mkdir(join(folder, UNFINISHED), { recursive: true, mode: 0o700 });
    const index = new FileIndex(join(scratch, 'index.db'));
    if (previous !== undefined) for await (const file of readFileList(join(folder, previous, FILE_LIST))) index.addPrevious(file);
    return {
      sink: new FolderSink(folder, previous, index),
      index,
      close: async () => {
        index.close();
        await rm(scratch, { recursive: true, force: true });
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Names in a folder of backups. */
const OWN = /^(\d{4}-\d\d-\d\dT[\d-]+Z|\.unfinished|\.scratch|\.removed-.*|backup\.lock(-journal)?)$/;

async function refuseOthers(folder: string): Promise<void> {
  const foreign = (await readdir(folder)).find((name) => !OWN.test(name));
  if (foreign !== undefined) throw new BackupError(`${folder} is not a folder of backups: it has ${foreign}`);
}

async function lock(folder: string): Promise<() => void> {
  try {
    return await lockFolder(folder, 'backup.lock');
  } catch (error) {
    throw error instanceof FolderInUseError ? new BackupError(`another backup is being written to ${folder}`) : error;
  }
}

/** The files of a backup in a folder, as its list has them. */
export async function* readFileList(path: string): AsyncGenerator<BackupFile> {
  const lines = createInterface({ input: createReadStream(path).pipe(createZstdDecompress()) });
  for await (const line of lines) yield JSON.parse(line) as BackupFile;
}

/** Removes the oldest backups of a folder, so that `keep` are left. Returns their names. */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const old = (await backupsIn(folder)).slice(0, -keep);
  for (const name of old) {
    // Renamed first: half a backup never has the name of a whole one.
    const removed = join(folder, `.removed-${name}`);
    await rename(join(folder, name), removed);
  }
  for (const name of await readdir(folder))
    if (name.startsWith('.removed-')) await rm(join(folder, name), { recursive: true, force: true });
  return old;
}
