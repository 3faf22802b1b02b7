import { createHash, hash } from 'node:crypto';
import { Transform } from 'node:stream';
import { BlobMismatchError, BlobTooLargeError, type ExpectedBlob } from './storage.ts';

/** Checks bytes one chunk after the other: with more than there should be they fail at once, with fewer or others at their end. */
export class Verification {
  readonly #expected: ExpectedBlob;
  readonly #hash;
  #size = 0;

  constructor(expected: ExpectedBlob) {
    this.#expected = expected;
    this.#hash = expected.sha256 === undefined ? undefined : createHash('sha256');
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** @throws BlobTooLargeError, BlobMismatchError */
  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    const { size, maxSize, onBytes } = this.#expected;
    if (maxSize !== undefined && this.#size > maxSize) throw tooLarge(maxSize);
    if (size !== undefined && this.#size > size) throw new BlobMismatchError('size');
    this.#hash?.update(chunk);
    onBytes?.(chunk);
  }

  /** @throws BlobMismatchError */
  end(): void {
    const { size, sha256 } = this.#expected;
    if (size !== undefined && this.#size !== size) throw new BlobMismatchError('size');
    if (this.#hash && this.#hash.digest('hex') !== sha256) throw new BlobMismatchError('sha256');
  }
}

/** Passes bytes on and fails as soon as they cannot be those that are expected. Nothing is kept of them. */
export class VerifiedBytes extends Transform {
  readonly #verification: Verification;

  constructor(expected: ExpectedBlob) {
    super();
    this.#verification = new Verification(expected);
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#verification.size;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    try {
      this.#verification.add(chunk);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: (error?: Error | null) => void): void {
    try {
      this.#verification.end();
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

/**
 * Checks bytes that are all there.
 * @throws BlobTooLargeError, BlobMismatchError
 */
export function checkBytes(bytes: Uint8Array, { maxSize, size, sha256, onBytes }: ExpectedBlob): void {
  if (maxSize !== undefined && bytes.length > maxSize) throw tooLarge(maxSize);
  if (size !== undefined && bytes.length !== size) throw new BlobMismatchError('size');
  if (sha256 !== undefined && hash('sha256', bytes) !== sha256) throw new BlobMismatchError('sha256');
  onBytes?.(bytes);
}

function tooLarge(maxSize: number): BlobTooLargeError {
  return new BlobTooLargeError(`more than ${maxSize} bytes`);
}
