import { createRequire } from 'node:module';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip, createZstdDecompress, gunzipSync } from 'node:zlib';
import { readBzip2 } from './bzip2.ts';
import { ArchiveBudget } from './limits.ts';

const require = createRequire(import.meta.url);
// Its named exports are not visible to an import.
const xz = () => require('xz-decompress') as typeof import('xz-decompress');

/** The compression of an archive. */
export type Compression = 'none' | 'gzip' | 'bzip2' | 'xz' | 'zstd';

const SIGNATURES: readonly (readonly [Compression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Detects the compression by the first six bytes. */
export function compressionOf(head: Uint8Array): Compression {
  return SIGNATURES.find(([, signature]) => signature.every((byte, index) => head[index] === byte))?.[0] ?? 'none';
}

/**
 * What was compressed, as a stream that is read no faster than it is consumed. It fails with a PackageError beyond the limits, and with
 * the library's error for what is not of this compression; destroying it ends the source as well. Bzip2 is for workers alone.
 */
export function decompress(source: Readable, compression: Compression, budget = new ArchiveBudget()): Readable {
  const read = counting((bytes) => budget.countRead(bytes));
  const written = counting((bytes) => budget.countWritten(bytes));
  const done = () => {};
  switch (compression) {
    case 'none':
      return pipeline(source, read, written, done);
    case 'gzip':
      return pipeline(source, read, createGunzip(), written, done);
    case 'zstd':
      return pipeline(source, read, createZstdDecompress(), written, done);
    case 'xz':
      pipeline(source, read, done);
      return pipeline(fromWeb(new (xz().XzReadableStream)(toWeb(read))), yielding(), written, done);
    case 'bzip2':
      return readBzip2(pipeline(source, read, done), budget);
  }
}

/** Bytes without compression that are made at once: that takes a millisecond. */
const MAX_SMALL = 256 * 1024;

/** {@link decompress} for few bytes, without streams, which cost more. Undefined for others, and for invalid ones: their beginning may be read. */
export function decompressSmall(bytes: Buffer, compression: Compression): Buffer | undefined {
  if (compression === 'none') return bytes.length <= MAX_SMALL ? bytes : undefined;
  if (compression !== 'gzip') return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SMALL });
  } catch {
    return undefined;
  }
}

function counting(count: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        count(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Lets other work run after each chunk: web streams wait only for promises, so they would not. */
function yielding(): Transform {
  return new Transform({ transform: (chunk: Buffer, _encoding, done) => void setImmediate(done, null, chunk) });
}

function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
}

function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as never);
}
