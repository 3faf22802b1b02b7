import { close, read } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { http } from '../node-http.ts';
import { FreeBuffers } from './free-buffers.ts';

const [readFile, closeFile] = [promisify(read), promisify(close)];

/** Bytes that are read at once. */
const PART_BYTES = 256 * 1024;
/** The same of a response: each part is a detour by another thread, and costs as much as the copying of its bytes. */
const LARGE_PART_BYTES = 1024 * 1024;
/** Responses that have large parts; of more at one time the further ones have smaller ones, since clients that are slow hold them for long. */
const MAX_LARGE = 16;

let largeParts = 0;
const buffers = new FreeBuffers(LARGE_PART_BYTES);

/**
 * The bytes of a file from `start` to before `end`, as a stream that closes the file. Piped into a response, it reads all of them into one
 * buffer: with one for each part, downloads would be mostly the work of the garbage collector, and hold 64 MiB that are sent already.
 */
export class FileStream extends Readable {
  readonly #file: number;
  readonly #end: number;
  #at: number;
  /** The part that is being read: the file is closed after that. */
  #reading: Promise<unknown> = Promise.resolve();

  /** @param file the descriptor of an open file */
  constructor(file: number, { start, end }: { start: number; end: number }) {
    super({ highWaterMark: PART_BYTES });
    this.#file = file;
    this.#at = start;
    this.#end = end;
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    if (!(destination instanceof http.ServerResponse)) return super.pipe(destination, options);
    this.#sendTo(destination).catch((error: Error) => this.destroy(error));
    return destination;
  }

  override _read(): void {
    const part = Buffer.allocUnsafeSlow(this.#nextLength(PART_BYTES));
    this.#readInto(part).then(
      (length) => this.push(length === 0 ? null : part),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#reading
      .catch(() => {})
      .then(() => closeFile(this.#file))
      .then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
  }

  async #sendTo(response: ServerResponse): Promise<void> {
    if (this.#end - this.#at <= PART_BYTES || largeParts === MAX_LARGE) {
      await this.#sendParts(response, Buffer.allocUnsafeSlow(this.#nextLength(PART_BYTES)));
      return;
    }
    largeParts++;
    try {
      const buffer = buffers.take();
      const isFree = await this.#sendParts(response, buffer);
      if (isFree) buffers.giveBack(buffer);
    } finally {
      largeParts--;
    }
  }

  /** Resolves to whether the buffer is free: if the stream was destroyed, a part may still be in use. */
  async #sendParts(response: ServerResponse, buffer: Buffer): Promise<boolean> {
    while (!this.destroyed) {
      const length = await this.#readInto(buffer.subarray(0, this.#nextLength(buffer.length)));
      if (this.destroyed) return false;
      if (length === 0) break;
      // The buffer is free again when the part has left the process.
      if (!(await this.#isWritten(response, buffer.subarray(0, length)))) return false;
    }
    if (this.destroyed) return false;
    response.end();
    this.push(null);
    this.resume();
    return true;
  }

  /** Writes a part; resolves to false if the stream was destroyed meanwhile, for example by a disconnected client. */
  #isWritten(response: ServerResponse, part: Buffer): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const onClose = () => resolve(false);
      this.once('close', onClose);
      response.write(part, (error) => {
        this.off('close', onClose);
        if (error) reject(error);
        else resolve(true);
      });
    });
  }

  #nextLength(partBytes: number): number {
    return Math.max(0, Math.min(partBytes, this.#end - this.#at));
  }

  /** Fills the buffer with the next bytes. */
  #readInto(buffer: Buffer): Promise<number> {
    const reading = this.#fill(buffer);
    this.#reading = reading;
    return reading;
  }

  async #fill(buffer: Buffer): Promise<number> {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await readFile(this.#file, buffer, filled, buffer.length - filled, this.#at);
      if (bytesRead === 0) throw new Error('a stored file is shorter than it was');
      filled += bytesRead;
      this.#at += bytesRead;
    }
    return buffer.length;
  }
}
