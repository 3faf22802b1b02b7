import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { invalid } from '../errors.ts';
import { ArchiveBudget, type ArchiveLimits } from './limits.ts';
import type { RandomAccess } from './zip.ts';

/** Bytes that a header may have, with a name and a comment. */
const MAX_HEADER = 4096;
/** Bytes after the compressed ones: a checksum and a length. */
const TRAILER = 8;
const FLAGS = { check: 2, extra: 4, name: 8, comment: 16 } as const;

/**
 * Reads one of several concatenated gzip members (RFC 1952, 2.2).
 * @param at its offset
 * @param read reads the decompressed data, to its end
 * @returns the offset of its end
 * @throws PackageError 400 for an invalid member, and beyond the limits
 */
export async function readGzipMember(
  source: RandomAccess,
  at: number,
  read: (plain: Readable) => Promise<void>,
  limits: Partial<ArchiveLimits> = {},
): Promise<number> {
  const start = at + headerLength(await readBytes(source, at, MAX_HEADER));
  if (start >= source.size) throw invalid('the archive cannot be read: it ends early');
  const budget = new ArchiveBudget(limits);
  const compressed = await source.open({ start, end: source.size - 1 });
  const inflate = createInflateRaw();
  // Bytes after the member are not consumed.
  inflate.once('end', () => compressed.unpipe(inflate).destroy());
  compressed.once('error', (error) => inflate.destroy(error)).pipe(inflate);
  const plain = new PassThrough();
  let failure: unknown;
  const reading = read(plain).catch((error: unknown) => {
    failure = error;
    plain.destroy();
  });
  try {
    let counted = 0;
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      budget.countRead(inflate.bytesWritten - counted);
      counted = inflate.bytesWritten;
      budget.countWritten(chunk.length);
      if (failure !== undefined) break;
      // The reader may have finished, but the member is read to its end.
      if (!plain.destroyed && !plain.write(chunk)) await Promise.race([once(plain, 'drain'), once(plain, 'close')]);
    }
    plain.end();
    await reading;
    if (failure !== undefined) throw failure;
  } catch (error) {
    plain.destroy();
    await reading;
    throw isOfZlib(error) ? invalid(`the archive cannot be read: ${error.message}`) : error;
  } finally {
    compressed.destroy();
    inflate.destroy();
  }
  return start + inflate.bytesWritten + TRAILER;
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function headerLength(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.readUInt16BE(0) !== 0x1f8b || bytes[2] !== 8)
    throw invalid('the archive cannot be read: it is none of gzip');
  const flags = bytes[3] ?? 0;
  let length = 10;
  if (flags & FLAGS.extra) length += 2 + (length + 2 <= bytes.length ? bytes.readUInt16LE(length) : MAX_HEADER);
  for (const flag of [FLAGS.name, FLAGS.comment]) if (flags & flag) length = endOfText(bytes, length);
  if (flags & FLAGS.check) length += 2;
  if (length > bytes.length) throw invalid('the archive cannot be read: its header is too long');
  return length;
}

function endOfText(bytes: Buffer, from: number): number {
  const end = from < bytes.length ? bytes.indexOf(0, from) : -1;
  return end < 0 ? MAX_HEADER + 1 : end + 1;
}

async function readBytes(source: RandomAccess, start: number, length: number): Promise<Buffer> {
  if (start >= source.size) return Buffer.alloc(0);
  return Buffer.concat(await Array.fromAsync(await source.open({ start, end: Math.min(start + length, source.size) - 1 })));
}
