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

/** All digests. */
export const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'] as const;
export type DigestName = (typeof DIGESTS)[number];

/** The digests of bytes with these names; others are empty. */
export function digestsOf(bytes: Uint8Array, names: readonly DigestName[] = DIGESTS): Digests {
  const of = (name: DigestName) => (names.includes(name) ? hash(name, bytes) : '');
  return { md5: of('md5'), sha1: of('sha1'), sha256: of('sha256'), sha512: of('sha512') };
}

/** Passes bytes through, counts them and computes their digests. */
export class DigestedBytes extends Transform {
  readonly #hashes: ReadonlyMap<DigestName, Hash>;
  readonly #maxSize: number;
  #size = 0;

  /**
   * @param maxSize bytes after which it fails with a BlobTooLargeError
   * @param names the digests to compute; others are empty
   */
  constructor(maxSize = Number.MAX_SAFE_INTEGER, names: readonly DigestName[] = DIGESTS) {
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
