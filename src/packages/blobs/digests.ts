import { createHash, type Hash, hash } from 'node:crypto';
import { Transform } from 'node:stream';
import { BlobTooLargeError } from '../../storage/storage.ts';

/** The digests of a content, in lower-case hexadecimal digits. */
export interface Digests {
  readonly md5: string;
  readonly sha1: string;
  readonly sha256: string;
  readonly sha512: string;
}

/** The digests that are computed of everything that is stored. */
export const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** The digests of bytes. */
export function digestsOf(bytes: Uint8Array): Digests {
  return { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes), sha512: hash('sha512', bytes) };
}

/** Passes bytes through, counts them and computes their digests. */
export class DigestedBytes extends Transform {
  readonly #hashes: ReadonlyMap<keyof Digests, Hash>;
  readonly #maxSize: number;
  #size = 0;

  /**
   * @param maxSize bytes after which it fails with a BlobTooLargeError
   * @param names the digests to compute; others are empty
   */
  constructor(maxSize = Number.MAX_SAFE_INTEGER, names: readonly (keyof Digests)[] = DIGESTS) {
    super();
    this.#maxSize = maxSize;
    this.#hashes = new Map(names.map((name) => [name, createHash(name)]));
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#size;
  }

  /** The digests of all bytes; call this once, at the end. */
  digests(): Digests {
    const [md5 = '', sha1 = '', sha256 = '', sha512 = ''] = DIGESTS.map((name) => this.#hashes.get(name)?.digest('hex'));
    return { md5, sha1, sha256, sha512 };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxSize) {
      done(new BlobTooLargeError(`more than ${this.#maxSize} bytes`));
      return;
    }
    for (const hash of this.#hashes.values()) hash.update(chunk);
    done(null, chunk);
  }
}
