import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { BlobMismatchError, BlobTooLargeError, type ExpectedBlob } from './storage.ts';

/**
 * Passes bytes on and fails as soon as they cannot be those that are expected: with more bytes than there should be at once, with fewer
 * or others at their end. Nothing is kept of them.
 */
export class VerifiedBytes extends Transform {
  readonly #expected: ExpectedBlob;
  readonly #hash;
  #size = 0;

  constructor(expected: ExpectedBlob) {
    super();
    this.#expected = expected;
    this.#hash = expected.sha256 === undefined ? undefined : createHash('sha256');
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#size;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.#size += chunk.length;
    const { size, maxSize } = this.#expected;
    if (maxSize !== undefined && this.#size > maxSize) done(new BlobTooLargeError(`more than ${maxSize} bytes`));
    else if (size !== undefined && this.#size > size) done(new BlobMismatchError('size'));
    else {
      this.#hash?.update(chunk);
      done(null, chunk);
    }
  }

  override _flush(done: (error?: Error | null) => void): void {
    const { size, sha256 } = this.#expected;
    if (size !== undefined && this.#size !== size) done(new BlobMismatchError('size'));
    else if (this.#hash && this.#hash.digest('hex') !== sha256) done(new BlobMismatchError('sha256'));
    else done();
  }
}
