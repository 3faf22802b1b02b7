import { crc32 } from 'node:zlib';

/** Size limit of a part that is stored as it is in bytes. */
const MAX_CHUNK = 65_536;
/** One filter, LZMA2 with a dictionary of 64 KiB. */
const BLOCK = Buffer.from([2, 0, 0x21, 1, 8, 0, 0, 0]);
const FLAGS = Buffer.from([0, 1]);

/**
 * Bytes in the container of xz, without compression (https://tukaani.org/xz/xz-file-format.txt): for documents that are compressed already,
 * and for clients that only read xz.
 * @param size how many bytes the content has
 */
export async function* storeXz(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([Buffer.from('fd377a585a00', 'hex'), FLAGS, checkOf(FLAGS), BLOCK, checkOf(BLOCK)]);
  let crc = 0;
  let isFirst = true;
  for await (const chunk of chunksOf(content)) {
    crc = crc32(chunk, crc);
    // The first chunk resets the dictionary.
    yield Buffer.from([isFirst ? 1 : 2, (chunk.length - 1) >> 8, (chunk.length - 1) & 255]);
    yield chunk;
    isFirst = false;
  }
  yield endOf(size, crc);
}

/** The size of the result of {@link storeXz}. */
export function xzSize(size: number): number {
  const head = 12 + BLOCK.length + 4;
  return head + size + 3 * Math.ceil(size / MAX_CHUNK) + endOf(size, 0).length;
}

function endOf(size: number, crc: number): Buffer {
  const unpadded = BLOCK.length + 4 + size + 3 * Math.ceil(size / MAX_CHUNK) + 1 + 4;
  const padding = Buffer.alloc(-unpadded & 3);
  const records = Buffer.from([0, 1, ...numberOf(unpadded), ...numberOf(size)]);
  const index = Buffer.concat([records, Buffer.alloc(-records.length & 3)]);
  const footer = Buffer.alloc(6);
  footer.writeUInt32LE((index.length + 4) / 4 - 1, 0);
  FLAGS.copy(footer, 4);
  return Buffer.concat([Buffer.of(0), padding, bytesOf(crc), index, checkOf(index), checkOf(footer), footer, Buffer.from('YZ')]);
}

/** As large as they can be. */
async function* chunksOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = Buffer.alloc(0);
  for await (const part of content) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    for (; rest.length >= MAX_CHUNK; rest = rest.subarray(MAX_CHUNK)) yield rest.subarray(0, MAX_CHUNK);
  }
  if (rest.length > 0) yield rest;
}

function checkOf(bytes: Uint8Array): Buffer {
  return bytesOf(crc32(bytes));
}

function bytesOf(crc: number): Buffer {
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc);
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
