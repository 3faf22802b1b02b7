// @ts-expect-error the library has no types
import Library from 'bzip2-wasm';

/** The used part of the library. */
interface BZip2 {
  init(): Promise<void>;
  compress(bytes: Uint8Array, blockSize: number, maxLength: number): Uint8Array;
}

/** Size limit of a stream in bytes, which bounds the library's memory. */
const PIECE = 1024 * 1024;
/** Hundreds of kilobytes. */
const BLOCK_SIZE = 5;

let loaded: Promise<BZip2> | undefined;

/** Compresses with bzip2, as concatenated streams, which decompressors treat as one. It takes a second for some megabytes. */
export async function run(bytes: Uint8Array): Promise<Uint8Array> {
  loaded ??= load();
  const bzip2 = await loaded;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    // At most a hundredth and 600 bytes are added, according to the documentation of bzip2.
    pieces.push(bzip2.compress(piece, BLOCK_SIZE, Math.ceil(piece.length * 1.01) + 600));
  }
  return Buffer.concat(pieces);
}

async function load(): Promise<BZip2> {
  const bzip2 = new Library() as BZip2;
  await bzip2.init();
  return bzip2;
}
