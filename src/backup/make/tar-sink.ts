import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { Pack } from 'tar-stream';
import type { FileIndex } from '../file-index.ts';
import { Hashing } from '../hashing.ts';
import { BackupError, FILE_LIST, MANIFEST } from '../layout.ts';
import type { BackupSink, NewFile } from './sink.ts';
import { writeFileList } from './write-list.ts';

/** A backup as one file, which is written from its beginning to its end. It gets its name when it is whole. */
export class TarSink implements BackupSink {
  readonly #path: string;
  readonly #pack: Pack;
  readonly #index: FileIndex;
  readonly #written: Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  readonly scratch: string;
  transferred = 0;

  private constructor(path: string, pack: Pack, index: FileIndex, scratch: string) {
    this.#path = path;
    this.#pack = pack;
    this.#index = index;
    this.scratch = scratch;
    const target = createWriteStream(`${path}.part`, { mode: 0o600, flush: true });
    const source = pack as unknown as Readable;
    this.#written = path.endsWith('.zst') ? pipeline(source, createZstdCompress(), target) : pipeline(source, target);
    // Its error is thrown to the next caller that adds something.
    this.#written.catch(() => {});
  }

  static async open(path: string, index: FileIndex, scratch: string): Promise<TarSink> {
    const { pack } = await import('tar-stream');
    return new TarSink(path, pack(), index, scratch);
  }

  add({ path, size, modified, open }: NewFile): Promise<void> {
    return this.#next(async () => {
      const source = await open();
      const sha256 = await this.#write(path, size, modified, source);
      this.#index.add({ path, size, modified, sha256 });
    });
  }

  link(path: string, existing: string): Promise<void> {
    return this.#next(async () => {
      const file = this.#index.find(existing);
      if (!file) throw new Error(`${existing} has not been added`);
      const first = file.link ?? existing;
      this.#pack.entry({ name: path, type: 'link', linkname: first, mode: 0o600 });
      this.#index.add({ ...file, path, link: first });
    });
  }

  async move(path: string, scratch: string): Promise<void> {
    const { size, mtimeMs } = await stat(scratch);
    const source = async () => createReadStream(scratch);
    await this.add({ path, size, modified: Math.floor(mtimeMs), isImmutable: false, open: source });
    await rm(scratch);
  }

  async addText(path: string, text: string): Promise<void> {
    const scratch = join(this.scratch, `text-${path.replaceAll('/', '-')}`);
    await writeFile(scratch, text, { mode: 0o600 });
    await this.move(path, scratch);
  }

  async finish(manifest: (filesDigest: string) => string): Promise<string> {
    const list = join(this.scratch, 'files');
    const digest = await writeFileList(this.#index, list);
    await this.#next(async () => {
      await this.#write(FILE_LIST, (await stat(list)).size, Date.now(), createReadStream(list));
      const text = join(this.scratch, 'manifest');
      await writeFile(text, manifest(digest));
      await this.#write(MANIFEST, (await readFile(text)).length, Date.now(), createReadStream(text));
      this.#pack.finalize();
    });
    await this.#written;
    await rename(`${this.#path}.part`, this.#path);
    return this.#path;
  }

  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
    await rm(`${this.#path}.part`, { force: true });
  }

  /** One file after the other. */
  #next<T>(write: () => Promise<T>): Promise<T> {
    const result = this.#last.then(write);
    this.#last = result.catch(() => {});
    return result;
  }

  async #write(name: string, size: number, modified: number, source: Readable): Promise<string> {
    const hashing = new Hashing();
    const headers = { name, size, mode: 0o600, mtime: new Date(modified) };
    const entry = this.#pack.entry(headers);
    // The archive may fail, for example on a full disk: then nobody reads the entry.
    await Promise.race([pipeline(source, hashing, entry as unknown as NodeJS.WritableStream), this.#written]);
    if (hashing.size !== size) throw new BackupError(`${name} changed while it was copied`);
    this.transferred += size;
    return hashing.digest();
  }
}
