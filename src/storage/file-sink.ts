import { close, fsync, open, write } from 'node:fs';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { FreeBuffers } from './free-buffers.ts';
import { freeChunk } from './owned-bytes.ts';
import type { Verification } from './verified.ts';

const [openFile, writeBytes, syncFile, closeFile] = [promisify(open), promisify(write), promisify(fsync), promisify(close)];

/** Bytes that are written at once: each time is a detour by another thread. */
const PART_BYTES = 256 * 1024;

const buffers = new FreeBuffers(PART_BYTES);

/**
 * Writes `OwnedBytes` into a new file, whose bytes are on the disk when it has finished. Chunks are gathered, which costs less than writing
 * each, and freed. Without that this would be the wrong way: the less is done for a chunk, the later the collector of young objects runs, and
 * chunks would come to start that of the whole memory.
 */
export class FileSink extends Writable {
  readonly #path: string;
  readonly #verification: Verification;
  #file: number | undefined;
  /** The part that is being filled, and its length. */
  #part = buffers.take();
  #length = 0;
  /** Resolves to the other part when it has been written, while this one is filled. */
  #writing: Promise<Buffer | undefined> = Promise.resolve(undefined);

  constructor(path: string, verification: Verification) {
    super({ highWaterMark: PART_BYTES });
    this.#path = path;
    this.#verification = verification;
  }

  override _construct(done: (error?: Error | null) => void): void {
    openFile(this.#path, 'w').then(
      (file) => {
        this.#file = file;
        done();
      },
      (error: Error) => done(error),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      this.#verification.add(chunk);
    } catch (error) {
      done(error as Error);
      return;
    }
    const taken = this.#take(chunk, 0);
    if (taken < chunk.length) this.#takeRest(chunk, taken).then(() => done(), done);
    else done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#finish().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // From now on nothing is written any more, so the file can be closed after what is being written.
    const part = this.#part;
    this.#writing
      .then(giveBack, () => {})
      .then(() => giveBack(part))
      .then(() => (this.#file === undefined ? undefined : closeFile(this.#file)))
      .then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
  }

  /** Copies what fits into the part, and returns where the rest begins. */
  #take(chunk: Buffer, start: number): number {
    const copied = chunk.copy(this.#part, this.#length, start);
    this.#length += copied;
    if (start + copied === chunk.length) freeChunk(chunk);
    return start + copied;
  }

  async #takeRest(chunk: Buffer, start: number): Promise<void> {
    const { length } = chunk;
    for (let taken = start; taken < length; taken = this.#take(chunk, taken)) await this.#startWriting();
  }

  /** Writes the part, and makes the other one the next, when that is written. */
  async #startWriting(isLast = false): Promise<void> {
    const other = await this.#writing;
    if (this.destroyed) throw new Error('the file was closed meanwhile');
    const [full, length] = [this.#part, this.#length];
    this.#part = other ?? buffers.take();
    this.#length = 0;
    this.#writing = this.#writeAll(full, length, isLast);
    // Its error is that of the next step.
    this.#writing.catch(() => {});
  }

  async #writeAll(part: Buffer, length: number, isLast: boolean): Promise<Buffer> {
    const file = this.#file ?? -1;
    for (let at = 0; at < length; ) at += (await writeBytes(file, part, at, length - at)).bytesWritten;
    if (isLast) await syncFile(file);
    return part;
  }

  async #finish(): Promise<void> {
    this.#verification.end();
    await this.#startWriting(true);
    await this.#writing;
  }
}

function giveBack(buffer: Buffer | undefined): void {
  if (buffer) buffers.giveBack(buffer);
}
