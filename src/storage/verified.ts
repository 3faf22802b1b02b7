import { createHash, hash } from 'node:crypto';
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
    if (maxSize !== undefined && this.#size > maxSize) done(tooLarge(maxSize));
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

/**
 * Checks bytes that are all there.
 * @throws BlobTooLargeError, BlobMismatchError
 */
export function checkBytes(bytes: Uint8Array, { maxSize, size, sha256 }: ExpectedBlob): void {
  if (maxSize !== undefined && bytes.length > maxSize) throw tooLarge(maxSize);
  if (size !== undefined && bytes.length !== size) throw new BlobMismatchError('size');
  if (sha256 !== undefined && hash('sha256', bytes) !== sha256) throw new BlobMismatchError('sha256');
}

function tooLarge(maxSize: number): BlobTooLargeError {
  return new BlobTooLargeError(`more than ${maxSize} bytes`);
}
