import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { digestOfFile } from '../hashing.ts';
import { BackupError, FILE_LIST, MANIFEST, MAX_SMALL_FILE, placeOf } from '../layout.ts';
import { type Manifest, parseManifest } from '../manifest.ts';
import { parseFile, readLines } from './lines.ts';
import type { BackupReader, ReadFile } from './reader.ts';

/**
 * Opens a backup that is a folder.
 * @throws BackupError
 */
export async function openFolderBackup(folder: string): Promise<BackupReader> {
  const path = join(folder, MANIFEST);
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new BackupError(`${folder} is not a backup: it has no ${MANIFEST}`);
  if (info.size > MAX_SMALL_FILE) throw new BackupError('the manifest of the backup is too large');
  const manifest = parseManifest(await readFile(path, 'utf8'));
  const list = join(folder, FILE_LIST);
  if ((await digestOfFile(list).catch(() => '')) !== manifest.files) throw new BackupError('the list of files of the backup is damaged');
  await checkList(list, manifest);
  return new FolderReader(await realpath(folder), manifest);
}

/** Before anything is restored. */
async function checkList(list: string, { counts }: Manifest): Promise<void> {
  let count = 0;
  for await (const line of readLines(createReadStream(list))) {
    const { path, link } = parseFile(line);
    placeOf(path);
    if (link !== undefined) placeOf(link);
    if (++count > counts.files) break;
  }
  if (count !== counts.files)
    throw new BackupError(`the backup has ${count > counts.files ? 'more' : count} files instead of ${counts.files}`);
}

class FolderReader implements BackupReader {
  readonly manifest: Manifest;
  readonly #root: string;
  constructor(root: string, manifest: Manifest) {
    this.#root = root;
    this.manifest = manifest;
  }

  async *files(): AsyncGenerator<ReadFile> {
    for await (const line of readLines(createReadStream(join(this.#root, FILE_LIST)))) {
      const file = parseFile(line);
      placeOf(file.path);
      yield { ...file, open: () => this.#open(file.path) };
    }
  }

  async close(): Promise<void> {}

  /** Neither the file nor a folder on the way may be a link to elsewhere. */
  async #open(path: string): Promise<Readable> {
    const full = join(this.#root, path);
    try {
      if ((await realpath(dirname(full))) !== dirname(full)) throw new BackupError(`${path} of the backup is behind a symbolic link`);
      const stream = createReadStream(full, { flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string });
      await once(stream, 'open');
      return stream;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw new BackupError(`${path} is missing in the backup`);
      throw code === 'ELOOP' ? new BackupError(`${path} of the backup is a symbolic link`) : error;
    }
  }
}
