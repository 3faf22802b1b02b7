import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, createZstdCompress, deflateRaw } from 'node:zlib';
import type { Context } from '../../context.ts';
import { combineCrc32 } from '../archives/combine-crc32.ts';

/** A part of a document in its stored form. */
export interface BlockPart {
  /** Bytes before compression. */
  readonly size: number;
  /** Their CRC-32. */
  readonly crc: number;
  readonly content: Uint8Array;
}

/** The consecutive parts of a document: stored ones, and what is written each time. */
export type Pieces = readonly (string | Uint8Array | AsyncIterable<BlockPart> | Iterable<BlockPart>)[];

const BZIP2_TASK = new URL('./bzip2-task.ts', import.meta.url);
const BZIP2_MS = 120_000;
/** The header of a member of gzip, without a name or a time. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Bytes that are not worth compressing: zlib takes as long to begin as for some kilobytes. */
const SHORT = 512;
/** The last block of a deflated stream, without anything in it. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** A part that is not compressed. */
export function plainPart(content: Uint8Array | string): BlockPart {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { size: bytes.length, crc: crc32(bytes), content: bytes };
}

/** A plain part in another form. */
export async function compressPart(context: Context, { size, crc, content }: BlockPart, form: 'deflate' | 'bzip2'): Promise<BlockPart> {
  return { size, crc, content: size === 0 ? content : await (form === 'deflate' ? deflated(content) : bzip2(context, content)) };
}

/** The bytes of a document. */
export async function* joinPlain(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const { content } of partsOf(pieces, async (part) => part)) if (content.length > 0) yield content;
}

/** A document compressed as one gzip member: clients of some formats read only the first one. Its parts are `deflate`. */
export async function* joinGzip(pieces: Pieces): AsyncGenerator<Uint8Array> {
  yield GZIP_HEADER;
  let [size, crc] = [0, 0];
  for await (const part of partsOf(pieces, async (part) => ({ ...part, content: await deflated(part.content) }))) {
    if (part.size === 0) continue;
    crc = combineCrc32(crc, part.crc, part.size);
    size += part.size;
    yield part.content;
  }
  yield gzipTrailer(crc, size);
}

/** What ends a member of gzip: of bytes with this CRC-32 and size. */
export function gzipTrailer(crc: number, size: number): Uint8Array {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([LAST_BLOCK, trailer]);
}

/** A document compressed as one zstd frame: clients of some formats read only the first one, and its parts cannot be stored. */
export function joinZstd(pieces: Pieces): Readable {
  return pipeline(Readable.from(joinPlain(pieces)), createZstdCompress(), () => {});
}

/** A document compressed with bzip2, as concatenated streams, which decompressors treat as one. Its parts are `bzip2`. */
export async function* joinBzip2(context: Context, pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const { content } of partsOf(pieces, (part) => compressPart(context, part, 'bzip2'))) if (content.length > 0) yield content;
}

async function* partsOf(pieces: Pieces, compress: (part: BlockPart) => Promise<BlockPart>): AsyncGenerator<BlockPart> {
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece instanceof Uint8Array) yield await compress(plainPart(piece));
    else yield* piece;
  }
}

/** Deflated bytes, which end at a byte, and do not refer to earlier bytes, so that they can be placed anywhere. */
export async function deflated(content: Uint8Array): Promise<Uint8Array> {
  if (content.length <= SHORT) return stored(content);
  return await promisify(deflateRaw)(content, { finishFlush: constants.Z_FULL_FLUSH });
}

/** A block of a deflated stream that is not compressed (RFC 1951, 3.2.4). */
function stored(content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(5);
  header.writeUInt16LE(content.length, 1);
  header.writeUInt16LE(0xffff - content.length, 3);
  return Buffer.concat([header, content]);
}

async function bzip2({ workers }: Context, content: Uint8Array): Promise<Uint8Array> {
  const options = { background: true, deadlineMs: BZIP2_MS };
  return await workers.run<typeof import('./bzip2-task.ts')>(BZIP2_TASK, content, options);
}
