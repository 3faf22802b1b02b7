import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { streamOf } from '../blobs/bytes-stream.ts';

/** A source of bytes with random access. */
export interface RandomAccess {
  readonly size: number;
  /** All bytes, if they are in memory. */
  readonly bytes?: Buffer | undefined;
  /** The bytes from `start` to `end`, inclusive. */
  open(range: { start: number; end: number }): Promise<Readable>;
}

/** Opens a zip archive by its directory. This file is loaded on first use. */
export async function openZip(source: RandomAccess): Promise<ZipFile> {
  return await fromRandomAccessReaderPromise(new StoredBytes(source), source.size, { autoClose: false });
}

/** Bytes of an entry that are made at once: that takes a millisecond. */
const MAX_SMALL = 256 * 1024;
/** What the header of an entry begins with, and its length without names. */
const HEADER = { signature: 0x04034b50, bytes: 30 } as const;
const [STORED, DEFLATED] = [0, 8];

/**
 * The bytes of a small entry of an archive in memory, without streams, which cost more. Undefined for others, and for those that the
 * library refuses.
 */
export function readSmallEntry(archive: Buffer, entry: Entry): Buffer | undefined {
  const { relativeOffsetOfLocalHeader: at, compressedSize, uncompressedSize: size, compressionMethod: method } = entry;
  if (size === 0 || size > MAX_SMALL || entry.isEncrypted() || at + HEADER.bytes > archive.length) return undefined;
  if (archive.readUInt32LE(at) !== HEADER.signature) return undefined;
  const start = at + HEADER.bytes + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const content = archive.subarray(start, start + compressedSize);
  if (content.length < compressedSize) return undefined;
  const bytes = method === STORED ? content : method === DEFLATED ? inflated(content, size) : undefined;
  return bytes?.length === size ? bytes : undefined;
}

function inflated(content: Buffer, size: number): Buffer | undefined {
  try {
    return inflateRawSync(content, { maxOutputLength: size });
  } catch {
    return undefined;
  }
}

/** How many bytes are read at a time when few are requested. */
const WINDOW = 64 * 1024;
/** Number of cached windows: one for the directory, one for the headers of entries. */
const WINDOWS = 2;

interface Window {
  readonly start: number;
  readonly bytes: Buffer;
}

/** Without the windows, each part of each entry would be a storage request: a minute for an archive of many empty files. */
class StoredBytes extends RandomAccessReader {
  readonly #source: RandomAccess;
  /** The last used one is at the end. */
  #windows: Window[] = [];
  constructor(source: RandomAccess) {
    super();
    this.#source = source;
    if (source.bytes) this.#windows.push({ start: 0, bytes: source.bytes });
  }

  override read(target: Buffer, offset: number, length: number, position: number, done: (error: Error | null) => void): void {
    this.#windowOf(position, length).then(
      ({ start, bytes }) => {
        const copied = bytes.copy(target, offset, position - start, position - start + length);
        done(copied === length ? null : new Error('the archive ends too early'));
      },
      (error: Error) => done(error),
    );
  }

  async #windowOf(position: number, length: number): Promise<Window> {
    const held = this.#windows.find(({ start, bytes }) => start <= position && position + length <= start + bytes.length);
    const window = held ?? (await this.#load(position, Math.max(length, WINDOW)));
    this.#windows = [...this.#windows.filter((one) => one !== window), window].slice(-WINDOWS);
    return window;
  }

  async #load(start: number, length: number): Promise<Window> {
    const end = Math.min(start + length, this.#source.size);
    return { start, bytes: start < end ? await buffer(await this.#source.open({ start, end: end - 1 })) : Buffer.alloc(0) };
  }

  override _readStreamForRange(start: number, end: number): Readable {
    if (this.#source.bytes) return streamOf(this.#source.bytes.subarray(start, end));
    const through = new PassThrough();
    if (end <= start) through.end();
    else {
      this.#source.open({ start, end: end - 1 }).then(
        (stream) => stream.on('error', (error) => through.destroy(error)).pipe(through),
        (error) => through.destroy(error),
      );
    }
    return through;
  }
}
