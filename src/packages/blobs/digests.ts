import { createHash, type Hash, hash } from 'node:crypto';

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

/** Computes digests of bytes that come a chunk at a time. */
export class Digester {
  readonly #hashes: ReadonlyMap<DigestName, Hash>;

  /** @param names the digests to compute; others are empty */
  constructor(names: readonly DigestName[] = DIGESTS) {
    this.#hashes = new Map(names.map((name) => [name, createHash(name)]));
  }

  /** Adds a chunk. */
  add(chunk: Uint8Array): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
  }

  /** The digests of all bytes; call this once, at the end. */
  end(): Digests {
    const [md5 = '', sha1 = '', sha256 = '', sha512 = ''] = DIGESTS.map((name) => this.#hashes.get(name)?.digest('hex'));
    return { md5, sha1, sha256, sha512 };
  }
}
