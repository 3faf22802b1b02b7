import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Hashing, TooLongError } from '../hashing.ts';
import { BackupError, MANIFEST } from '../layout.ts';
import type { OnProgress } from '../make/backup.ts';
import { backupsIn } from '../make/folder-sink.ts';
import { openFolderBackup } from './folder-reader.ts';
import type { BackupReader, ReadFile } from './reader.ts';
import { openTarBackup } from './tar-reader.ts';

/**
 * Opens a backup: an archive, a folder with one, or the latest one of a folder of several.
 * @throws BackupError
 */
export async function openBackup(from: string): Promise<BackupReader> {
  const path = resolve(from);
  if (!existsSync(path)) throw new BackupError(`there is no backup ${path}`);
  if (/\.tar(\.zst)?$/.test(path)) return await openTarBackup(path);
  const latest = existsSync(join(path, MANIFEST)) ? undefined : (await backupsIn(path)).at(-1);
  return await openFolderBackup(latest === undefined ? path : join(path, latest));
}

/**
 * Hands all bytes of a file to `use` and compares their digest.
 * @throws BackupError when they differ from those of the backup
 */
export async function verified<T>(file: ReadFile, use: (content: Hashing) => Promise<T>): Promise<T> {
  const hashing = new Hashing(file.size);
  const source = await file.open();
  source.on('error', (error) => hashing.destroy(error));
  source.pipe(hashing);
  try {
    const result = await use(hashing);
    if (hashing.size !== file.size || hashing.digest() !== file.sha256) throw damaged(file);
    return result;
  } catch (error) {
    throw error instanceof TooLongError ? damaged(file) : error;
  } finally {
    source.destroy();
  }
}

function damaged({ path }: ReadFile): BackupError {
  return new BackupError(`${path} is damaged in the backup`);
}

/**
 * Reads every file of a backup and compares its digest. Returns how many there are.
 * @throws BackupError at the first that is damaged or missing
 */
export async function verifyBackup(reader: BackupReader, onProgress: OnProgress): Promise<number> {
  let done = 0;
  for await (const file of reader.files()) {
    if (file.link === undefined)
      await verified(file, async (content) => {
        for await (const _chunk of content);
      });
    onProgress('files', ++done, reader.manifest.counts.files);
  }
  if (done !== reader.manifest.counts.files)
    throw new BackupError(`the backup has ${done} files instead of ${reader.manifest.counts.files}`);
  return done;
}
