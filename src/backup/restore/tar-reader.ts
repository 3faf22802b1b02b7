import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { FileIndex } from '../file-index.ts';
import { digestOfFile, Hashing } from '../hashing.ts';
import { BackupError, type BackupFile, FILE_LIST, MANIFEST, MAX_SMALL_FILE, placeOf } from '../layout.ts';
import { type Manifest, parseManifest } from '../manifest.ts';
import { parseFile, readLines } from './lines.ts';
import type { BackupReader, ReadFile } from './reader.ts';
import { Room } from './room.ts';

/** Maximum size of an entry in the index. */
const ENTRY_BYTES = 4096;

/**
 * Opens a backup in an archive. The list of files is at its end, so it is read completely once, and all digests are compared.
 * @throws BackupError
 */
export async function openTarBackup(path: string): Promise<BackupReader> {
  const scratch = await mkdtemp(join(tmpdir(), 'copse-restore-'));
  const index = new FileIndex(join(scratch, 'index.db'));
  try {
    const manifest = await readThrough(path, join(scratch, 'files'), index);
    await compareList(join(scratch, 'files'), manifest, index);
    return new TarReader(path, scratch, index, manifest);
  } catch (error) {
    index.close();
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
}

/** An entry of an archive, to be read before the next. */
type TarEntry = Readable & {
  readonly header: { readonly name: string; readonly type?: string | null; readonly size?: number; readonly linkname?: string | null };
};

async function* entriesOf(path: string): AsyncGenerator<TarEntry> {
  const { extract } = await import('tar-stream');
  const entries = extract();
  const source = createReadStream(path);
  const target = entries as unknown as NodeJS.WritableStream;
  const piped = path.endsWith('.zst') ? pipeline(source, createZstdDecompress(), target) : pipeline(source, target);
  let failure: Error | undefined;
  const ended = piped.catch((error: Error) => {
    failure = error;
  });
  try {
    for await (const entry of entries) yield entry as unknown as TarEntry;
  } catch (error) {
    throw failure && !(error instanceof BackupError) ? new BackupError(`the archive cannot be read: ${failure.message}`) : error;
  } finally {
    source.destroy();
    entries.destroy();
    await ended;
  }
}

/** Reads all entries; notes the digest of each file, and returns the manifest. */
async function readThrough(path: string, list: string, index: FileIndex): Promise<Manifest> {
  let manifest: Manifest | undefined;
  const room = new Room();
  const scratch = dirname(list);
  for await (const entry of entriesOf(path)) {
    const { name, type, size = 0, linkname } = entry.header;
    const source: Readable = entry;
    await room.take(scratch, name === FILE_LIST ? size : ENTRY_BYTES);
    if (name === MANIFEST) manifest = parseManifest(await textOf(source, size));
    else if (name === FILE_LIST) await pipeline(source, createWriteStream(list, { mode: 0o600 }));
    else if (type === 'file') await note(index, name, size, source);
    else if (type === 'link') noteLink(index, name, linkname ?? '', source);
    else throw new BackupError(`the archive has ${JSON.stringify(name.slice(0, 200))}, which is not a file`);
  }
  if (!manifest) throw new BackupError('the archive is incomplete: it has no manifest');
  return manifest;
}

async function textOf(source: Readable, size: number): Promise<string> {
  if (size > MAX_SMALL_FILE) throw new BackupError('the manifest of the backup is too large');
  return Buffer.concat(await Array.fromAsync(source as AsyncIterable<Buffer>)).toString('utf8');
}

async function note(index: FileIndex, path: string, size: number, source: Readable): Promise<void> {
  placeOf(path);
  const hashing = new Hashing();
  source.pipe(hashing);
  source.on('error', (error) => hashing.destroy(error));
  for await (const _chunk of hashing);
  if (!index.add({ path, size, modified: 0, sha256: hashing.digest() })) throw new BackupError(`the archive has ${path} twice`);
}

function noteLink(index: FileIndex, path: string, target: string, source: Readable): void {
  placeOf(path);
  const first = index.find(target);
  if (!first || first.link !== undefined)
    throw new BackupError(`the archive has a link to a file that is not in it: ${path.slice(0, 200)}`);
  if (!index.add({ ...first, path, link: target })) throw new BackupError(`the archive has ${path} twice`);
  source.resume();
}

async function compareList(list: string, { files }: Manifest, index: FileIndex): Promise<void> {
  if ((await digestOfFile(list).catch(() => '')) !== files) throw new BackupError('the list of files of the backup is damaged');
  let count = 0;
  for await (const line of readLines(createReadStream(list))) {
    const file = parseFile(line);
    const found = index.find(file.path);
    if (!found) throw new BackupError(`${file.path} is missing in the backup`);
    if (!isSame(found, file)) throw new BackupError(`${file.path} is damaged in the backup`);
    if (++count > index.totals.files) break;
  }
  if (count !== index.totals.files) throw new BackupError('the archive has files that are not in its list');
}

function isSame(a: BackupFile, b: BackupFile): boolean {
  return a.sha256 === b.sha256 && a.size === b.size && a.link === b.link;
}

class TarReader implements BackupReader {
  readonly manifest: Manifest;
  readonly #path: string;
  readonly #scratch: string;
  readonly #index: FileIndex;
  constructor(path: string, scratch: string, index: FileIndex, manifest: Manifest) {
    this.#path = path;
    this.#scratch = scratch;
    this.#index = index;
    this.manifest = manifest;
  }

  async *files(): AsyncGenerator<ReadFile> {
    for await (const entry of entriesOf(this.#path)) {
      const file = this.#index.find(entry.header.name);
      const source: Readable = entry;
      if (file) yield { ...file, open: async () => source };
      source.resume();
    }
  }

  async close(): Promise<void> {
    this.#index.close();
    await rm(this.#scratch, { recursive: true, force: true });
  }
}
