import { PassThrough } from 'node:stream';

/** Bytes that may wait: with room for a single chunk, the source would be stopped and continued for each of them. */
const WAITING_BYTES = 256 * 1024;

/**
 * A stream whose chunks only its reader has. A storage frees each of them once it is written: otherwise a large upload would be followed by
 * the garbage collector, which reads the memory of the whole server to find them.
 */
export class OwnedBytes extends PassThrough {
  constructor() {
    super({ highWaterMark: WAITING_BYTES });
  }
}

/** Frees the memory of a chunk that nobody reads any more, unless it is a part of a larger one. */
export function freeChunk({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
