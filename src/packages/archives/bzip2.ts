import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { ArchiveBudget } from './limits.ts';

type ReadBits = ((count: number | null) => number) & { readonly bytesRead: number };

interface Bzip2 {
  /** The level of a stream, from 1 to 9. */
  header(bits: ReadBits): number;
  /** Decodes a block; returns the checksum of the stream so far, null at its end. */
  decompress(bits: ReadBits, output: (byte: number) => void, buffer: Int32Array, size: number, checksum: number): number | null;
}

const require = createRequire(import.meta.url);

/** Size of a block by its level in bytes; compressed it is at most slightly larger. */
const LEVEL_BYTES = 100_000;
const BLOCK_OVERHEAD = 25_000;
const PIECE_BYTES = 64 * 1024;

/**
 * Decompresses bzip2 block by block: only one block is in memory. A block takes a tenth of a second, so this is for workers.
 * @param budget checked while a block is decoded, since a block can expand fifty times
 */
export function readBzip2(source: Readable, budget: ArchiveBudget): Readable {
  const stream = Readable.from(blocks(source, budget), { objectMode: false });
  stream.once('close', () => source.destroy());
  return stream;
}

async function* blocks(source: Readable, budget: ArchiveBudget): AsyncGenerator<Buffer> {
  const parts = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const waiting: Buffer[] = [];
  let received = 0;
  let isEnded = false;
  const receive = async (total: number) => {
    while (!isEnded && received < total) {
      const { value, done } = await parts.next();
      if (done) isEnded = true;
      else if (value.length > 0) {
        waiting.push(value);
        received += value.length;
      }
    }
  };
  await receive(1);
  // The library's own stream decodes everything at once, however large the result is.
  const bzip2 = require('unbzip2-stream/lib/bzip2') as Bzip2;
  const bitsOf = require('unbzip2-stream/lib/bit_iterator') as (next: () => Uint8Array) => ReadBits;
  const bits = bitsOf(() => {
    const next = waiting.shift();
    if (!next) throw new Error('the input ends too early');
    return next;
  });
  let level = 0;
  let checksum = 0;
  for (;;) {
    await receive(bits.bytesRead + (level === 0 ? 4 : BLOCK_OVERHEAD + LEVEL_BYTES * level));
    if (isEnded && received <= bits.bytesRead) {
      if (level === 0) return;
      throw new Error('the input ends too early');
    }
    if (level === 0) {
      level = bzip2.header(bits);
      checksum = 0;
      continue;
    }
    const pieces = new Pieces(budget);
    const size = LEVEL_BYTES * level;
    const next = bzip2.decompress(bits, (byte) => pieces.add(byte), new Int32Array(size), size, checksum);
    if (next === null) level = 0;
    else {
      checksum = next;
      yield* pieces.all();
    }
  }
}

/** Collects the bytes of a block. */
class Pieces {
  readonly #budget: ArchiveBudget;
  readonly #full: Buffer[] = [];
  #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #size = 0;

  constructor(budget: ArchiveBudget) {
    this.#budget = budget;
  }

  add(byte: number): void {
    if (this.#size === PIECE_BYTES) {
      this.#budget.countWritten(PIECE_BYTES);
      this.#full.push(this.#piece);
      this.#piece = Buffer.allocUnsafe(PIECE_BYTES);
      this.#size = 0;
    }
    this.#piece[this.#size++] = byte;
  }

  all(): Buffer[] {
    this.#budget.countWritten(this.#size);
    return [...this.#full, this.#piece.subarray(0, this.#size)];
  }
}
