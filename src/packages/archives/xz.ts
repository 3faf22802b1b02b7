import { crc32 } from 'node:zlib';

/** Bytes of a part that is stored as it is. */
const MAX_CHUNK = 65_536;

/**
 * Bytes in the container of xz, without compression (https://tukaani.org/xz/xz-file-format.txt): nothing well kept compresses with it, and
 * clients that ask for xz alone can read this.
 */
export function storeXz(content: Uint8Array): Buffer {
  const flags = Buffer.from([0, 1]);
  const header = Buffer.concat([Buffer.from('fd377a585a00', 'hex'), flags, checkOf(flags)]);
  // One filter, LZMA2 with a dictionary of 64 KiB.
  const block = Buffer.from([2, 0, 0x21, 1, 8, 0, 0, 0]);
  const chunks = [...chunksOf(content)];
  const unpadded = block.length + 4 + sizeOf(chunks) + 4;
  const padding = Buffer.alloc(-unpadded & 3);
  const records = Buffer.from([0, 1, ...numberOf(unpadded), ...numberOf(content.length)]);
  const index = Buffer.concat([records, Buffer.alloc(-records.length & 3)]);
  const footer = Buffer.alloc(6);
  footer.writeUInt32LE((index.length + 4) / 4 - 1, 0);
  flags.copy(footer, 4);
  const ending = [padding, checkOf(content), index, checkOf(index), checkOf(footer), footer, Buffer.from('YZ')];
  return Buffer.concat([header, block, checkOf(block), ...chunks, ...ending]);
}

function* chunksOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += MAX_CHUNK) {
    const chunk = content.subarray(at, at + MAX_CHUNK);
    const size = chunk.length - 1;
    // The first chunk resets the dictionary.
    yield Buffer.from([at === 0 ? 1 : 2, size >> 8, size & 255]);
    yield chunk;
  }
  yield Buffer.from([0]);
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

function checkOf(bytes: Uint8Array): Buffer {
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc32(bytes));
  return check;
}

/** A number in groups of seven bits, the lowest first. */
function numberOf(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
