import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';

/** A source has more bytes than expected. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/** Passes bytes on, counts them and makes their SHA-256. */
export class Hashing extends Transform {
  readonly #hash = createHash('sha256');
  readonly #maxSize: number;
  size = 0;

  /** @param maxSize the bytes that there may be: with more it fails with a {@link TooLongError} */
  constructor(maxSize = Number.POSITIVE_INFINITY) {
    super();
    this.#maxSize = maxSize;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.size += chunk.length;
    if (this.size > this.#maxSize) {
      done(new TooLongError(`there are more than ${this.#maxSize} bytes`));
      return;
    }
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** In hexadecimal digits, when all has passed. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** The SHA-256 of a file. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
